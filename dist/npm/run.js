#!/usr/bin/env node
// Runs the program that npm has installed for this system, in this terminal, and ends as it ends.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = `countersign-${process.platform}-${process.arch}`;
let program;
try {
    program = require.resolve(`${name}/countersign`);
} catch {
    const built = Object.keys(require("./package.json").optionalDependencies).join(", ");
    console.error(`countersign: npm has not installed ${name}, which contains the program for this system
hint: there are ${built}; if yours is among them, install again without --omit=optional, else build it by cargo`);
    process.exit(3);
}

// The terminal sends these to the program too, which decides; others send them to this process alone.
for (const signal of ["SIGINT", "SIGQUIT"]) process.on(signal, () => {});
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
    console.error(`countersign: cannot run ${program}: ${error.message}`);
    process.exit(3);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
