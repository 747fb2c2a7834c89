//! Contents of blobs: as git stores them, or as it would check them out.

use std::path::PathBuf;

use super::repository::{GitError, Repository};

/// Form of a blob's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlobForm {
    /// As git stores it.
    Stored,
    /// As checked out: with the line endings of the working tree, through git's filters.
    CheckedOut,
}

/// The attributes that make a checked-out file another than the stored one (gitattributes(5)).
const ATTRIBUTES: [&str; 6] = [
    "text",
    "eol",
    "crlf",
    "ident",
    "filter",
    "working-tree-encoding",
];

impl Repository {
    /// Returns the contents of blobs. Each is named by its id and by the file that it is a version of.
    ///
    /// # Errors
    ///
    /// [`GitError`] if one of them is not there.
    pub fn contents(
        &self,
        blobs: &[(&str, &str)],
        form: BlobForm,
    ) -> Result<Vec<Vec<u8>>, GitError> {
        if blobs.is_empty() {
            return Ok(Vec::new());
        }
        let mut contents = self.stored(blobs)?;
        if form == BlobForm::CheckedOut {
            for n in self.converted(blobs)? {
                let (id, path) = blobs[n];
                let path = format!("--path={path}");
                contents[n] = self.ask(&["cat-file", "--filters", &path, id])?;
            }
        }
        Ok(contents)
    }

    fn stored(&self, blobs: &[(&str, &str)]) -> Result<Vec<Vec<u8>>, GitError> {
        let odd = || GitError::Odd {
            command: "cat-file --batch".to_owned(),
        };
        let ids: Vec<&str> = blobs.iter().map(|(id, _)| *id).collect();
        let input = ids.join("\n") + "\n";
        let printed = self.tell(&["cat-file", "--batch", "--buffer"], input.as_bytes(), &[])?;
        let mut rest = printed.as_slice();
        let mut contents = Vec::with_capacity(blobs.len());
        for (id, path) in blobs {
            let end = memchr::memchr(b'\n', rest).ok_or_else(odd)?;
            let head = std::str::from_utf8(&rest[..end]).map_err(|_| odd())?;
            let Some(size) = head
                .split(' ')
                .nth(2)
                .and_then(|size| size.parse::<usize>().ok())
            else {
                return Err(GitError::Refused {
                    command: format!("cat-file --batch <<< {id}"),
                    said: format!("the stored version of `{path}` is missing"),
                });
            };
            let body = rest.get(end + 1..end + 1 + size).ok_or_else(odd)?;
            contents.push(body.to_vec());
            rest = rest.get(end + 2 + size..).ok_or_else(odd)?;
        }
        Ok(contents)
    }

    /// The positions of the blobs that may be checked out as something else than what is stored.
    fn converted(&self, blobs: &[(&str, &str)]) -> Result<Vec<usize>, GitError> {
        let setting = self.ask(&["config", "--get", "core.autocrlf"]);
        let setting = setting.unwrap_or_default();
        if String::from_utf8_lossy(&setting)
            .trim()
            .eq_ignore_ascii_case("true")
        {
            return Ok((0..blobs.len()).collect());
        }
        let mut arguments = vec!["check-attr", "-z", "--stdin"];
        arguments.extend(ATTRIBUTES);
        let paths: Vec<&str> = blobs.iter().map(|(_, path)| *path).collect();
        let input = paths.join("\0") + "\0";
        let printed = self.at_top().tell(&arguments, input.as_bytes(), &[])?;
        let fields: Vec<&[u8]> = printed.split(|&byte| byte == 0).collect();
        let (answers, _) = fields.as_chunks::<3>();
        let special = |[_, _, value]: &[&[u8]; 3]| !matches!(*value, b"unspecified" | b"unset");
        Ok(answers
            .chunks(ATTRIBUTES.len())
            .enumerate()
            .filter(|(_, answers)| answers.iter().any(special))
            .map(|(n, _)| n)
            .filter(|n| *n < blobs.len())
            .collect())
    }

    /// The name of a file of git's own.
    pub(crate) fn own_file(&self, name: &str) -> Result<PathBuf, GitError> {
        let path = self.at_top().ask(&["rev-parse", "--git-path", name])?;
        let path = String::from_utf8_lossy(&path)
            .trim_end_matches('\n')
            .to_owned();
        Ok(self.top.join(path))
    }
}
