//! The language in the info string of a code fence, and the files whose text may be in it.
//!
//! Nothing but the name above a fence makes its lines the text of that file. A language in which the file is not written
//! contradicts that: the fence may hold a command, its output, or an example of use.

use super::fence::Fence;
use super::name_shape::KNOWN;
use crate::proposal::PathClaim;

/// Families of languages: words for one or for those that share files, and the endings of these files. Models write any word of a
/// family for any of its endings.
const FAMILIES: [&str; 36] = [
    "python py pyi pyw pyx ipython cython",
    "javascript typescript javascriptreact typescriptreact js jsx mjs cjs ts tsx mts cts es node vue svelte astro",
    "html htm xhtml vue svelte astro angular handlebars hbs jinja django j njk nunjucks twig liquid mustache erb ejs heex \
     eex leex razor cshtml gohtml tmpl tpl php jsp",
    "xml html xhtml xaml axaml xsd xsl xslt svg rss atom wsdl csproj fsproj vbproj vcxproj props targets resx nuspec config \
     plist storyboard xib ui qrc pom iml manifest",
    "css scss sass less postcss pcss stylus styl",
    "json jsonc jsonl ndjson hjson jsonnet libsonnet webmanifest geojson jsonld ipynb map har code-workspace avsc lock",
    "yaml yml helm docker-compose clang-format cff lock tpl",
    "toml ini dosini properties conf config cfg cnf dotenv env editorconfig gitconfig systemd service socket timer desktop \
     lock inf reg",
    "nginx apache apacheconf caddyfile haproxy conf htaccess cfg",
    "c c++ cpp cc cxx h hpp hh hxx inl ipp tpp objective-c objectivec objc m mm arduino ino cuda cu cuh opencl cl inc def",
    "glsl hlsl wgsl shader vert frag comp metal",
    "rust rs",
    "go golang",
    "java jsp",
    "kotlin kt kts gradle groovy jenkinsfile",
    "scala sc sbt",
    "csharp c# cs csx razor cshtml",
    "fsharp f# fs fsx fsi",
    "vbnet vb vba bas vbs",
    "ruby rb rake gemspec ru erb podspec gemfile rakefile brewfile vagrantfile",
    "php phtml blade inc",
    "swift",
    "dart",
    "lua luau rockspec",
    "perl pl pm t pod",
    "r rscript",
    "sql mysql postgresql postgres pgsql psql sqlite plsql tsql ddl",
    "haskell hs lhs",
    "elixir ex exs heex eex leex",
    "lisp clojure clj cljs cljc edn scheme scm racket rkt elisp emacs-lisp el cl",
    "make makefile mk mak",
    "cmake cmakelists.txt",
    "docker dockerfile containerfile",
    "markdown md mdx mdc rmarkdown rmd quarto qmd rst restructuredtext rest asciidoc adoc org latex tex",
    "bash sh zsh shell fish ksh shellscript bats command env dotenv envrc bashrc zshrc profile",
    "powershell pwsh ps psm psd batch bat cmd dos",
];

/// Words for any text, and endings of files that hold one.
const TEXT: &str = "text plaintext plain txt csv tsv lst in";

/// Words for what a program prints and for a comparison, and endings of files that hold these.
const RESULTS: [&str; 2] = [
    "console output stdout terminal shell-session log out",
    "diff patch udiff rej",
];

/// Returns the language of a fence if no reading of a name is that of a file that may be written in it.
pub(super) fn other_language<'a>(open: &Fence<'a>, path: &PathClaim) -> Option<&'a str> {
    let language = language(open.info)?;
    let is_name = |name: &str| name.eq_ignore_ascii_case(language);
    let fits = |name: &str| is_name(name) || may_be_in(name, &language.to_lowercase());
    (!path.readings().any(fits)).then_some(language)
}

/// Returns the word for the language in an info string: `python`, `{.python}`, `python:a.py`, `language-python`.
fn language(info: &str) -> Option<&str> {
    let word = info.trim_start_matches(['{', '.', ' ']);
    let word = word
        .split([' ', '\t', '{', ',', ':', ';', '}', '(', '['])
        .next()?;
    let leads = ["language-", "lang-"];
    let behind = leads.iter().find_map(|lead| word.strip_prefix(lead));
    let word = behind.unwrap_or(word);
    // The name of a file, a media type and an attribute are no words.
    let is_sign = |c: char| !c.is_alphanumeric() && !"+#-_.".contains(c);
    (word.contains(char::is_alphabetic) && !word.contains(is_sign)).then_some(word)
}

/// Returns `true` if a file of this name may be written in a language.
fn may_be_in(name: &str, language: &str) -> bool {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let endings = endings(name);
    let plain = language.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let words = [language, plain];
    let words = words.into_iter().chain(language.split('.'));
    words.filter(|word| !word.is_empty()).any(|word| {
        let is_same = |ending: &String| ending == word || share_family(ending, word);
        let is_known = endings
            .iter()
            .any(|ending| families(ending).next().is_some());
        let is_result = || RESULTS.iter().any(|family| has(family, word));
        let has_extension = name.trim_start_matches('.').contains('.');
        endings.iter().any(is_same)
            || !is_known && !has_extension && is_in_family(word) && !is_result()
            || !is_known && !is_in_family(word) && endings.iter().any(|it| abbreviates(it, word))
    })
}

/// Returns the words of a file's name that may be that of its language, without numbers: `ps1` is as `ps`. An ending such as
/// `.example` may be behind another one.
fn endings(name: &str) -> Vec<String> {
    let name = name.to_lowercase();
    let is_hidden = name.starts_with('.');
    let whole = name.trim_start_matches('.');
    let parts = whole.split('.').enumerate();
    let parts = parts.filter(|(at, part)| *at > 0 || is_hidden || is_known(part));
    let mut found = vec![whole.to_owned()];
    for (_, part) in parts {
        let plain = part.trim_end_matches(|c: char| c.is_ascii_digit());
        found.extend([part, plain].map(str::to_owned));
    }
    found.retain(|ending| !ending.is_empty());
    found
}

/// Returns `true` for a name that is that of a file without an ending.
fn is_known(name: &str) -> bool {
    KNOWN.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn families(word: &str) -> impl Iterator<Item = &'static str> {
    let all = FAMILIES.into_iter().chain([TEXT]).chain(RESULTS);
    all.filter(move |family| has(family, word))
}

fn has(family: &str, word: &str) -> bool {
    family.split(' ').any(|known| known == word)
}

fn is_in_family(word: &str) -> bool {
    families(word).next().is_some()
}

fn share_family(ending: &str, word: &str) -> bool {
    families(ending).any(|family| has(family, word))
}

/// Returns `true` if an ending is a language without some of its letters: `tf` and `terraform`, `jl` and `julia`.
fn abbreviates(ending: &str, language: &str) -> bool {
    let mut letters = language.chars();
    let begins_same = ending.chars().next() == language.chars().next();
    begins_same && ending.chars().all(|c| letters.any(|letter| letter == c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(info: &str, path: &str, expected: &str) {
        let line = format!("```{info}");
        let open = Fence::of(&line).unwrap();
        let found = other_language(&open, &PathClaim::plain(path));
        assert_eq!(found.unwrap_or_default(), expected, "{info} {path}");
    }

    #[test]
    fn a_file_may_be_in_the_languages_of_its_ending() {
        for (info, path) in [
            ("", "a.py"),
            ("python", "src/a.py"),
            ("python3.11", "a.pyi"),
            ("Python", "a.py"),
            ("{.python .numberLines}", "a.py"),
            ("language-python", "a.py"),
            ("python:src/a.py", "src/a.py"),
            ("a.py", "a.py"),
            ("application/json", "a.json"),
            ("javascript", "a.tsx"),
            ("html", "App.vue"),
            ("html.erb", "a.html.erb"),
            ("cpp", "a.h"),
            ("jsonc", "tsconfig.json"),
            ("json", "config.json.example"),
            ("bash", ".env.local"),
            ("sh", "gradlew"),
            ("ruby", "bin/rails"),
            ("text", ".gitignore"),
            ("gitignore", ".gitignore"),
            ("text", "requirements.txt"),
            ("text", "LICENSE"),
            ("dockerfile", "Dockerfile.dev"),
            ("cmake", "CMakeLists.txt"),
            ("terraform", "main.tf"),
            ("julia", "a.jl"),
            ("zig", "a.zig"),
            ("powershell", "a.ps1"),
            ("console", "session.log"),
            ("diff", "fix.patch"),
            ("yaml", "docker-compose.prod.yml"),
        ] {
            check(info, path, "");
        }
    }

    #[test]
    fn another_language_contradicts_the_ending() {
        for (info, path, expected) in [
            ("console", "src/main.py", "console"),
            ("bash", "src/main.py", "bash"),
            ("sh", "Makefile", "sh"),
            ("shell title=\"cli.ts\"", "cli.ts", "shell"),
            ("text", "src/main.rs", "text"),
            ("text", "README.md", "text"),
            ("output", "a.go", "output"),
            ("diff", "a.c", "diff"),
            ("json", "api/users.ts", "json"),
            ("json", "src/json.rs", "json"),
            ("mermaid", "README.md", "mermaid"),
            ("console", "a.cs", "console"),
            ("console", "gradlew", "console"),
            ("traceback", "a.tf", "traceback"),
            ("bash", "requirements.txt", "bash"),
            ("ts", "schema.prisma", "ts"),
        ] {
            check(info, path, expected);
        }
    }
}
