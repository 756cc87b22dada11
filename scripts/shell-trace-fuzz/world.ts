import { spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"

/** What a command finds in its folder: texts, lists of names, archives and links. */
const texts: Readonly<Record<string, string>> = {
  "a.txt": "one 1\ntwo 2\nthree 3\n",
  "b.txt": "two 2\nfour 4\n",
  "secret.txt": "the secret\n",
  "keep.txt": "kept\n",
  "sub/c.txt": "one 1\n",
  "sub/keep.txt": "kept\n",
  "sub/deep/d.txt": "x\n",
  "sub/gone.txt": "once here\n",
  "changed.txt": "as it was\n",
  "longer.txt": "short\n",
  "staged.txt": "before\n",
  "names.txt": "b.txt\nsecret.txt\n",
  "keepnames.txt": "keep.txt\n",
  "names0.txt": "b.txt\0secret.txt\0",
  "data.json": '{"a": [1, 2], "b": "x"}\n',
  "fix.patch": "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one 1\n+uno 1\n",
  "script.sed": "s/one/uno/w written.txt\n",
  "prog.awk": '{ print $1 > "written.txt" }\n',
  "run.sh": "#!/bin/sh\ntouch ran.txt\n",
  "sums.txt": "d41d8cd98f00b204e9800998ecf8427e  secret.txt\n",
  "-n": "a name like an option\n",
  Makefile: "all:\n\ttouch made.txt\n",
}

/** Files that git keeps. */
export const tracked: ReadonlySet<string> = new Set([
  ...Object.keys(texts).filter((name) =>
    /^(?:[ab]|secret|keep|changed|longer|staged)\.txt$|^sub\//.test(name),
  ),
  "new.staged.txt",
])

/** Links, by name. */
export const links: Readonly<Record<string, string>> = { "link.txt": "a.txt", linkdir: "sub", olink: "../o" }

/**
 * Makes the world that every command gets a copy of: the folder `w` that is worked in, and `o` beside it. In one that is
 * changed, files differ from what git has of them: in place, longer, staged, removed and new.
 */
export function makePattern(pattern: string, state: "clean" | "changed" = "clean"): void {
  const work = path.join(pattern, "w")
  for (const name of ["w/sub/deep", "o/p"]) fs.mkdirSync(path.join(pattern, name), { recursive: true })
  for (const [name, text] of Object.entries(texts)) fs.writeFileSync(path.join(work, name), text)
  fs.chmodSync(path.join(work, "run.sh"), 0o755)
  for (const name of ["o/x.txt", "o/p/y.txt"]) fs.writeFileSync(path.join(pattern, name), "outside\n")
  const inside = (...words: readonly string[]) => {
    const [program, ...rest] = words
    spawnSync(program!, rest, { cwd: work, env: { PATH: process.env.PATH, ...identity }, stdio: "ignore" })
  }
  inside("tar", "-cf", "a.tar", "a.txt", "keep.txt", "sub")
  inside("tar", "-czf", "a.tgz", "b.txt", "sub")
  inside("sh", "-c", "gzip -c a.txt > a.txt.gz; bzip2 -c b.txt > b.txt.bz2; xz -c b.txt > b.txt.xz")
  inside("zip", "-q", "a.zip", "a.txt", "keep.txt", "sub/c.txt")
  for (const name of fs.readdirSync(work, { recursive: true, encoding: "utf8" }))
    fs.utimesSync(path.join(work, name), past, past)
  inside("git", "init", "-q", "-b", "main")
  // Git takes a copy whose time and size are the same for unchanged, and does not read it to find out.
  inside("git", "config", "core.checkStat", "minimal")
  inside("git", "config", "core.trustctime", "false")
  inside("git", "add", "a.txt", "b.txt", "secret.txt", "keep.txt", "sub")
  inside("git", "commit", "-q", "-m", "first")
  inside("git", "checkout", "-q", "-b", "other")
  inside(
    "sh",
    "-c",
    "echo other >> b.txt; echo other > other.txt; git rm -q sub/c.txt; git add b.txt other.txt",
  )
  inside("git", "commit", "-q", "-m", "other")
  inside("git", "checkout", "-q", "main")
  inside("git", "add", "changed.txt", "longer.txt", "staged.txt")
  inside("git", "commit", "-q", "-m", "second")
  inside("git", "tag", "tagged")
  if (state === "changed") changeFiles(work, inside)
  for (const name of ["b.txt", "sub/c.txt"]) fs.utimesSync(path.join(work, name), past, past)
  inside("git", "update-index", "-q", "--refresh")
  inside("sh", "-c", "rm -rf .git/hooks .git/info .git/description")
  for (const [name, target] of Object.entries(links)) fs.symlinkSync(target, path.join(work, name))
}

function changeFiles(work: string, inside: (...words: readonly string[]) => void): void {
  const write = (name: string, text: string) => {
    fs.writeFileSync(path.join(work, name), text)
    fs.utimesSync(path.join(work, name), later, later)
  }
  write("staged.txt", "after\n")
  write("new.staged.txt", "new\n")
  inside("git", "add", "staged.txt", "new.staged.txt")
  // As long as it was, so that only its bytes tell.
  write("changed.txt", "as it is!\n")
  write("longer.txt", "short no more\n")
  fs.rmSync(path.join(work, "sub/gone.txt"))
}

const past = new Date("2026-01-01T00:00:00Z")
const later = new Date("2026-01-02T00:00:00Z")

/** A commit of the same minute everywhere, so that a seed means the same commands. */
const identity = {
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.invalid",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.invalid",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
}
