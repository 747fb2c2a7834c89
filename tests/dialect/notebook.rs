//! Edits of a notebook's cells: the cell that is meant changes, every other byte stays.

use crate::outcome::check;
use crate::show;

const NOTEBOOK: &str = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "head",
   "metadata": {},
   "source": [
    "# Tides\n",
    "\n",
    "Heights in metres \u2014 at the quay."
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "load",
   "metadata": {"tags": ["keep"]},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": ["12\n"]
    }
   ],
   "source": [
    "import tides\n",
    "heights = tides.read(\"quay\")"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "plot",
   "metadata": {},
   "outputs": [],
   "source": []
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;

/// What a call makes of the notebook.
#[track_caller]
fn becomes(before: &str, call: &str, after: &str) {
    let call = format!(r#"{{"notebook_path":"tides.ipynb",{call}}}"#);
    check(
        &[("tides.ipynb", before)],
        &call,
        &[("tides.ipynb", after)],
        &[],
    );
    let valid = serde_json::from_str::<serde_json::Value>(after);
    assert!(valid.is_ok(), "{after}");
}

/// The notebook once the code with outputs has another source: the outputs are those of the old one.
fn without_outputs(notebook: &str) -> String {
    let (before, rest) = notebook.split_once("\"outputs\": [\n").unwrap_or_default();
    let (_, after) = rest.split_once("\n   ],").unwrap_or_default();
    let before = before.replace("\"execution_count\": 3", "\"execution_count\": null");
    format!("{before}\"outputs\": [],{after}")
}

/// A call that cannot be done, and why.
#[track_caller]
fn refused(before: &str, call: &str, said: &str) {
    let call = format!(r#"{{"notebook_path":"tides.ipynb",{call}}}"#);
    let file = [("tides.ipynb", before)];
    check(&file, &call, &file, &[said]);
}

#[test]
fn a_source_is_replaced_and_its_other_lines_stay_as_they_are_written() {
    becomes(
        NOTEBOOK,
        r##""cell_id":"head","new_source":"# Tides at the quay\n\nHeights in metres — at the quay.""##,
        &NOTEBOOK.replace("# Tides\\n", "# Tides at the quay\\n"),
    );
    becomes(
        NOTEBOOK,
        r#""cell_id":"load","new_source":"import tides\nheights = tides.read(\"mole\")\n","edit_mode":"replace""#,
        &without_outputs(&NOTEBOOK.replace(r#"(\"quay\")""#, r#"(\"mole\")\n""#)),
    );
    becomes(
        NOTEBOOK,
        r#""cell_id":"plot","new_source":"tides.plot()""#,
        &NOTEBOOK.replace(
            "\"source\": []",
            "\"source\": [\n    \"tides.plot()\"\n   ]",
        ),
    );
    becomes(
        NOTEBOOK,
        r#""cell_id":"load","new_source":"""#,
        &without_outputs(&NOTEBOOK.replace(
            "[\n    \"import tides\\n\",\n    \"heights = tides.read(\\\"quay\\\")\"\n   ]",
            "[]",
        )),
    );
}

#[test]
fn a_cell_without_a_name_is_counted() {
    let nameless = NOTEBOOK
        .replace("   \"id\": \"head\",\n", "")
        .replace("   \"id\": \"load\",\n", "")
        .replace("   \"id\": \"plot\",\n", "");
    becomes(
        &nameless,
        r#""cell_id":"cell-1","new_source":"import tides""#,
        &without_outputs(&nameless.replace(
            "    \"import tides\\n\",\n    \"heights = tides.read(\\\"quay\\\")\"\n",
            "    \"import tides\"\n",
        )),
    );
}

#[test]
fn a_cell_comes() {
    let new = "  {
   \"cell_type\": \"markdown\",
   \"id\": \"NAME\",
   \"metadata\": {},
   \"source\": [
    \"## Plot\"
   ]
  }";
    let call = r###""cell_type":"markdown","edit_mode":"insert","new_source":"## Plot""###;
    let named = |name: &str, after: &str| after.replace("NAME", name);
    becomes(
        NOTEBOOK,
        &format!("\"cell_id\":\"plot\",{call}"),
        &named(
            "34458bf9",
            &NOTEBOOK.replace("  }\n ],", &format!("  }},\n{new}\n ],")),
        ),
    );
    becomes(
        NOTEBOOK,
        call,
        &named(
            "df168c99",
            &NOTEBOOK.replacen("  {\n", &format!("{new},\n  {{\n"), 1),
        ),
    );
    let empty =
        "{\n \"cells\": [],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 4\n}\n";
    becomes(
        empty,
        r#""cell_type":"code","edit_mode":"insert","new_source":"1\n2""#,
        &empty.replace(
            "[]",
            "[
  {
   \"cell_type\": \"code\",
   \"execution_count\": null,
   \"metadata\": {},
   \"outputs\": [],
   \"source\": [
    \"1\\n\",
    \"2\"
   ]
  }
 ]",
        ),
    );
}

#[test]
fn a_cell_goes() {
    let cell = |name: &str| {
        let start = NOTEBOOK
            .find(name)
            .and_then(|at| NOTEBOOK[..at].rfind("  {\n"));
        let start = start.expect("the cell");
        let end = NOTEBOOK[start..].find("\n  }").expect("its end");
        NOTEBOOK[start..start + end + "\n  }".len()].to_owned()
    };
    let delete = |name: &str, after: &str| {
        let gone = format!(r#""cell_id":"{name}","edit_mode":"delete","new_source":"""#);
        becomes(NOTEBOOK, &gone, after);
    };
    delete(
        "head",
        &NOTEBOOK.replace(&format!("{},\n", cell("head")), ""),
    );
    delete(
        "plot",
        &NOTEBOOK.replace(&format!(",\n{}", cell("plot")), ""),
    );
}

#[test]
fn a_cell_of_another_type_loses_or_gets_its_outputs() {
    becomes(
        NOTEBOOK,
        r#""cell_id":"plot","cell_type":"markdown","new_source":"The end.""#,
        &NOTEBOOK.replace(
            "\"code\",\n   \"execution_count\": null,\n   \"id\": \"plot\",\n   \"metadata\": {},\n   \"outputs\": [],\n   \"source\": []",
            "\"markdown\",\n   \"id\": \"plot\",\n   \"metadata\": {},\n   \"source\": [\n    \"The end.\"\n   ]",
        ),
    );
}

#[test]
fn a_notebook_on_one_line_stays_on_one_line() {
    let line = r#"{"cells":[{"cell_type":"code","execution_count":null,"metadata":{},"outputs":[],"source":"a = 1"}],"metadata":{},"nbformat":4,"nbformat_minor":4}"#;
    becomes(
        line,
        r#""cell_id":"cell-0","new_source":"a = 2""#,
        &line.replace("a = 1", "a = 2"),
    );
    becomes(
        line,
        r#""cell_id":"cell-0","edit_mode":"insert","cell_type":"raw","new_source":"b""#,
        &line.replace(
            "}],",
            r#"},{"cell_type":"raw","metadata":{},"source":["b"]}],"#,
        ),
    );
}

#[test]
fn what_is_there_already_changes_nothing() {
    becomes(
        NOTEBOOK,
        r#""cell_id":"load","new_source":"import tides\nheights = tides.read(\"quay\")""#,
        NOTEBOOK,
    );
    // An equal cell below may be another one.
    refused(
        NOTEBOOK,
        r#""cell_id":"load","edit_mode":"insert","cell_type":"code","new_source":"""#,
        "its place is doubtful: it may be applied already",
    );
}

#[test]
fn what_has_no_place_is_refused() {
    refused(
        NOTEBOOK,
        r#""cell_id":"none","new_source":"x""#,
        "not found: no cell has the name `none`",
    );
    refused(
        NOTEBOOK,
        r#""cell_id":"cell-3","new_source":"x""#,
        "not found: no cell has the name `cell-3`",
    );
    refused(
        &NOTEBOOK.replace("\"load\"", "\"head\""),
        r#""cell_id":"head","new_source":"x""#,
        "not found: several cells have the name `head`",
    );
    refused(
        "{\"cells\": [",
        r#""cell_id":"head","new_source":"x""#,
        "not found: the file is no notebook: it is no JSON",
    );
    refused(
        "{\"worksheets\": []}",
        r#""cell_id":"head","new_source":"x""#,
        "not found: the file is no notebook: it has no list of cells",
    );
}

#[test]
fn a_call_that_is_not_whole_is_a_problem() {
    let problem = |call: &str, expected: &str| {
        show::check(
            &format!(r#"{{"notebook_path":"f.ipynb",{call}}}"#),
            &format!("! line 1 of the input: found {expected}"),
        );
    };
    problem(
        r#""new_source":"x""#,
        "an edit of a cell that is not whole, expected 'cell_id' and 'new_source'",
    );
    problem(
        r#""edit_mode":"insert","new_source":"x""#,
        "an edit of a cell that is not whole, expected 'cell_type' and 'new_source'",
    );
    problem(
        r#""edit_mode":"move","cell_id":"x""#,
        "another 'edit_mode', expected 'replace', 'insert' or 'delete'",
    );
    problem(
        r#""cell_type":"heading","cell_id":"x","new_source":"""#,
        "another 'cell_type', expected 'code', 'markdown' or 'raw'",
    );
    show::check(r#"{"notebook_path":"f.ipynb"}"#, "");
}
