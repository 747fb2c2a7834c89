{
  description = "A terminal reviewer between AI coding agents and the working tree";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs =
    { self, nixpkgs }:
    let
      inherit (nixpkgs) lib;
      cargo = (builtins.fromTOML (builtins.readFile ./Cargo.toml)).package;
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "aarch64-darwin"
      ];
      each = make: lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = cargo.name;
          inherit (cargo) version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          # The tests open terminals, start git and make namespaces, which the sandbox of a build forbids in part.
          doCheck = false;
          postInstall = ''
            $out/bin/countersign man --all man
            installManPage man/*.1
            installShellCompletion --cmd countersign \
              --bash <($out/bin/countersign completions bash) \
              --fish <($out/bin/countersign completions fish) \
              --zsh <($out/bin/countersign completions zsh)
          '';
          meta = {
            inherit (cargo) description;
            license = [
              lib.licenses.mit
              lib.licenses.asl20
            ];
            mainProgram = "countersign";
            platforms = systems;
          };
        };
      });

      devShells = each (pkgs: {
        default = pkgs.mkShell {
          inputsFrom = [ self.packages.${pkgs.system}.default ];
          packages = [
            pkgs.clippy
            pkgs.rustfmt
          ];
        };
      });
    };
}
