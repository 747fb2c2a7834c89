//! The forms in which tools' own documents show an edit, with what each makes of a file.

use crate::outcome::{becomes, check, refused};

const SHOP: &str = "\
def price(basket):
    # before tax
    return basket.net

def label(item):
    return item.name

RETRIES = 3
";

#[test]
fn blocks_with_the_numbers_of_their_lines() {
    becomes(
        SHOP,
        "```diff
<<<<<<< SEARCH
:start_line:2
:end_line:3
-------
    # before tax
    return basket.net
=======
    # with tax
    return basket.net * TAX
>>>>>>> REPLACE

<<<<<<< SEARCH
:start_line:9
:end_line:9
-------
RETRIES = 3
=======
RETRIES = 5  # the gateway is slow
>>>>>>> REPLACE
```
",
        &SHOP
            .replace(
                "    # before tax\n    return basket.net",
                "    # with tax\n    return basket.net * TAX",
            )
            .replace("RETRIES = 3", "RETRIES = 5  # the gateway is slow"),
    );
}

#[test]
fn blocks_whose_indentation_was_lost_on_the_way() {
    becomes(
        SHOP,
        "<<<<<<< SEARCH
:start_line:2
:end_line:3
-------
# before tax
return basket.net
=======
# with tax
return basket.net * TAX
>>>>>>> REPLACE
",
        &SHOP.replace(
            "    # before tax\n    return basket.net",
            "    # with tax\n    return basket.net * TAX",
        ),
    );
}

#[test]
fn a_template_that_was_not_filled_in() {
    refused(
        SHOP,
        "<<<<<<< SEARCH
:start_line:[first line]
:end_line:[last line]
-------
[the lines to find]
=======
[the lines to put there]
>>>>>>> REPLACE
",
        "no match in the file",
    );
    refused(
        SHOP,
        "*** Begin Patch
*** [Verb] File: [name]
@@ [a line near by]
  [context]
- [an old line]
+ [a new line]
*** End Patch
",
        "expected '*** Update File: NAME', or another section",
    );
}

#[test]
fn markers_that_are_content() {
    let conflict = "ours\n<<<<<<< SEARCH // left by a merge\ntheirs\n";
    becomes(
        conflict,
        "<<<<<<< SEARCH
:start_line:1
:end_line:3
-------
ours
\\<<<<<<< SEARCH // left by a merge
theirs
=======
both
>>>>>>> REPLACE
",
        "both\n",
    );
}

#[test]
fn a_call_around_blocks() {
    check(
        &[("lib/shop.py", SHOP)],
        "I raise it:
<apply_diff>
<path>lib/shop.py</path>
<diff>
<<<<<<< SEARCH
:start_line:1
:end_line:3
-------
def price(basket):
    # before tax
    return basket.net
=======
def price(basket):
    \"\"\"What is to be paid.\"\"\"
    return basket.net * TAX
>>>>>>> REPLACE
</diff>
</apply_diff>
",
        &[(
            "lib/shop.py",
            &SHOP.replace(
                "    # before tax\n    return basket.net",
                "    \"\"\"What is to be paid.\"\"\"\n    return basket.net * TAX",
            ),
        )],
        &[],
    );
}

#[test]
fn a_call_around_a_diff() {
    let edit = |mark: &str| {
        format!(
            "<apply_diff>
<path>shop.py</path>
<diff>
--- a/shop.py
+++ b/shop.py
@@ -24,4 +24,4 @@
{mark}def label(item):
-    return item.name
+    return item.name.title()  # as on the box
{mark}
{mark}RETRIES = 3
</diff>
</apply_diff>
"
        )
    };
    let after = SHOP.replace("item.name", "item.name.title()  # as on the box");
    becomes(SHOP, &edit(" "), &after);
    // Without its marks, a line could be context or prose.
    refused(
        SHOP,
        &edit(""),
        "expected a line that begins with ' ', '-' or '+'",
    );
}

#[test]
fn one_call_for_several_files_of_which_one_block_is_broken() {
    let call = |divider: &str| {
        format!(
            "```xml
<apply_diff>
  <args>
    <file>
      <path>src/login.ts</path>
      <diff>
        <content>
<<<<<<< SEARCH
:start_line:50
-------
    const lifetime = '5m';
{divider}>>>>>>> REPLACE
        </content>
      </diff>
    </file>
    <file>
      <path>src/limits.ts</path>
      <diff>
        <content>
<<<<<<< SEARCH
:start_line:2
-------
    burst: 5,
=======
    burst: 10,
>>>>>>> REPLACE
        </content>
      </diff>
    </file>
  </args>
</apply_diff>
```
"
        )
    };
    let login = ("src/login.ts", "    const lifetime = '5m';\n");
    let before = [login, ("src/limits.ts", "{\n    burst: 5,\n}\n")];
    let limits = ("src/limits.ts", "{\n    burst: 10,\n}\n");
    let said = "found '>>>>>>> REPLACE', expected '=======' for the SEARCH on line 8";
    check(&before, &call(""), &[login, limits], &[said]);
    let login = ("src/login.ts", "    const lifetime = '1h';\n");
    check(
        &before,
        &call("=======\n    const lifetime = '1h';\n"),
        &[login, limits],
        &[],
    );
}

#[test]
fn an_envelope_with_a_scope_above_its_lines() {
    becomes(
        "def main():\n   # the door\n  print(\"hi\")\n  return None\n",
        "```
*** Begin Patch
*** Update File: shop.py
@@ def main():
   # the door
-  print(\"hi\")
+  print(\"good morning\")
   return None
*** End Patch
```
",
        "def main():\n   # the door\n  print(\"good morning\")\n  return None\n",
    );
}

#[test]
fn an_envelope_with_a_blank_line_between_its_hunks() {
    becomes(
        SHOP,
        "*** Begin Patch
*** Update File: shop.py
@@ def price(basket):
-    # before tax
-    return basket.net
+    try:
+        return basket.net * TAX
+    except OverflowError:
+        return MAX

@@ def label(item):
-    return item.name
+    return {
+        \"name\": item.name,
+    }
*** End Patch
",
        &SHOP
            .replace(
                "    # before tax\n    return basket.net\n",
                "    try:\n        return basket.net * TAX\n    except OverflowError:\n        return MAX\n",
            )
            .replace("    return item.name\n", "    return {\n        \"name\": item.name,\n    }\n"),
    );
}

#[test]
fn edits_in_the_fences_of_a_list() {
    let after = SHOP.replace("return item.name", "return item.title");
    becomes(
        SHOP,
        "1.  **Blocks**, like this:

    ```
    shop.py
    <<<<<<< SEARCH
        return item.name
    =======
        return item.title
    >>>>>>> REPLACE
    ```
",
        &after,
    );
    becomes(
        SHOP,
        "2.  **Diffs**, like this:

    ```diff
    --- shop.py
    +++ shop.py
    @@ -5,2 +5,2 @@
     def label(item):
    -    return item.name
    +    return item.title
    ```
",
        &after,
    );
    becomes(
        SHOP,
        "3.  **Patches**, like this:

    ```
    *** Begin Patch
    *** Update File: shop.py
    @@ def price(basket):
     def label(item):
    -    return item.name
    +    return item.title
    *** End Patch
    ```
",
        &after,
    );
}

#[test]
fn a_diff_whose_body_is_shorter_than_its_header_says() {
    refused(
        SHOP,
        "--- shop.py
+++ shop.py
@@ -5,7 +5,7 @@
 def label(item):
-    return item.name
+    return item.title
",
        "found the hunk's end after 2 old and 2 new lines, expected 7 and 7, as its header says",
    );
}

#[test]
fn a_report_that_quotes_a_block_without_its_new_lines() {
    refused(
        SHOP,
        "```
# 1 block failed to match!

## This block is not in shop.py
<<<<<<< SEARCH
def price(basket):
    # before tax
    return basket.net
=======
...
>>>>>>> REPLACE

Did you mean these lines?
```
",
        "found '...', expected the lines that it stands for",
    );
}

#[test]
fn several_hunks_with_words_for_people_after_the_marks() {
    let shop = SHOP.replace("RETRIES = 3", "def close():\n    # nothing yet\n    pass");
    becomes(
        &shop,
        "*** Begin Patch
*** Update File: shop.py
@@ first change - line 2
 def price(basket):
-    # before tax
+    # with tax
     return basket.net
@@ second change - line 5
 def label(item):
-    return item.name
+    return item.title
 
@@ third change - line 40
 def close():
-    # nothing yet
+    # the till is counted
     pass
*** End Patch
",
        &shop
            .replace("before", "with")
            .replace("item.name", "item.title")
            .replace("nothing yet", "the till is counted"),
    );
}

#[test]
fn an_envelope_that_adds_updates_and_deletes() {
    check(
        &[("docs/open.txt", "closed\n"), ("docs/old.txt", "gone\n")],
        "*** Begin Patch
*** Add File: docs/new.txt
+first
+second
*** Update File: docs/open.txt
-closed
+open
*** Delete File: docs/old.txt
*** End Patch
",
        &[
            ("docs/new.txt", "first\nsecond\n"),
            ("docs/open.txt", "open\n"),
        ],
        &[],
    );
}

#[test]
fn one_section_alone_in_an_envelope() {
    check(
        &[],
        "*** Begin Patch\n*** Add File: src/hello.py\n+def hello():\n+    print(\"hello\")\n*** End Patch\n",
        &[("src/hello.py", "def hello():\n    print(\"hello\")\n")],
        &[],
    );
    check(
        &[("src/dead.py", "x = 1\n")],
        "*** Begin Patch\n*** Delete File: src/dead.py\n*** End Patch\n",
        &[],
        &[],
    );
    becomes(
        SHOP,
        "*** Begin Patch\n*** Update File: shop.py\n-RETRIES = 3\n+RETRIES = 4\n*** End Patch\n",
        &SHOP.replace('3', "4"),
    );
}

#[test]
fn a_git_diff_without_numbers() {
    becomes(
        SHOP,
        "diff --git a/shop.py b/shop.py\n--- a/shop.py\n+++ b/shop.py\n@@\n-RETRIES = 3\n+RETRIES = 4\n",
        &SHOP.replace('3', "4"),
    );
}
