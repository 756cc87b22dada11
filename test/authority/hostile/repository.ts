import { execFileSync } from "node:child_process"
import fs from "node:fs"
import net from "node:net"
import os from "node:os"
import path from "node:path"
import { hostileFiles } from "./definitions.ts"

export interface HostileRepository {
  /** Holds everything; removed by `remove`. */
  readonly base: string
  readonly root: string
  readonly state: string
  /** Made by whatever of the repository is run. */
  readonly marker: string
  readonly environment: NodeJS.ProcessEnv
  remove(): void
}

/**
 * A repository that tries whatever a repository can, in all formats.
 * `pipes`: another one, where every file that is looked for by its name is a pipe that nobody writes to.
 */
export function makeHostileRepository(kind: "full" | "pipes"): HostileRepository {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-hostile-")))
  const [root, state, home] = ["work", "state", "home"].map((name) => path.join(base, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [root, state, home]) fs.mkdirSync(folder)
  const marker = path.join(base, "marker")
  const sockets: net.Server[] = []
  if (kind === "pipes") makePipes(root)
  else {
    put(root, hostileFiles(marker))
    putGit(root, marker)
    putLinks(root, base)
    putNames(root)
    putSpecial(root, sockets)
  }
  return {
    base,
    root,
    state,
    marker,
    environment: {
      PATH: process.env.PATH,
      TMPDIR: os.tmpdir(),
      HOME: home,
      CADRE_STATE_DIR: state,
      CADRE_CONFIG_DIR: path.join(home, "config"),
      ANTHROPIC_API_KEY: "sk-ant-of-the-person",
      LANG: "C.UTF-8",
    },
    remove() {
      for (const socket of sockets) socket.close()
      // Paths get longer there than Node can name.
      execFileSync("rm", ["-rf", "--", base])
    },
  }
}

function put(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), text)
  }
}

function putGit(root: string, marker: string): void {
  execFileSync("git", ["init", "--quiet", root])
  const run = `touch ${marker}`
  put(root, {
    ".git/config": `[core]
\trepositoryformatversion = 0
\tfsmonitor = ${run}
\thooksPath = .hooks
\tsshCommand = ${run}
\tpager = ${run}
\teditor = ${run}
\tattributesFile = .gitattributes
[filter "evil"]
\tclean = ${run}
\tsmudge = ${run}
\tprocess = ${run}
[diff]
\texternal = ${run}
[diff "evil"]
\ttextconv = ${run}
[alias]
\tstatus = "!${run}"
\trev-parse = "!${run}"
[attr]
\ttree = HEAD
[user]
\temail = "$(${run})"
[include]
\tpath = /etc/passwd
`,
    ".gitattributes": "* filter=evil diff=evil\n",
    ".gitmodules": `[submodule "x"]\n\tpath = -u./x\n\turl = "ext::sh -c '${run}'"\n`,
  })
  for (const folder of [".git/hooks", ".hooks"])
    for (const hook of ["post-checkout", "pre-commit", "fsmonitor-watchman", "post-index-change"]) {
      put(root, { [`${folder}/${hook}`]: `#!/bin/sh\n${run}\n` })
      fs.chmodSync(path.join(root, folder, hook), 0o755)
    }
  // A bare repository in a folder that looks like any other.
  put(root, {
    "vendor/HEAD": "ref: refs/heads/main\n",
    "vendor/config": `[core]\n\tbare = true\n\tfsmonitor = ${run}\n`,
    "vendor/objects/keep": "",
    "vendor/refs/keep": "",
  })
}

function putLinks(root: string, base: string): void {
  const outside = path.join(base, "outside")
  put(outside, {
    "agents/far.md": "---\nname: far\n---\nFar.\n",
    "secret.md": "---\nname: secret\n---\nkey\n",
  })
  const links: Readonly<Record<string, string>> = {
    ".claude/agents/passwd.md": "/etc/passwd",
    ".claude/agents/secret.md": path.join(outside, "secret.md"),
    ".claude/agents/folder": path.join(outside, "agents"),
    ".claude/agents/loop": ".",
    ".claude/agents/self.md": "self.md",
    ".claude/agents/dangling.md": "nowhere.md",
    ".claude/agents/everything": "/",
    ".claude/agents/endless.md": "/dev/zero",
    ".claude/agents/memory.md": "/proc/self/mem",
    ".claude/agents/environment.md": "/proc/self/environ",
    ".claude/skills/away": outside,
    ".opencode": "/etc",
    "node_modules/linked": outside,
  }
  for (const [name, target] of Object.entries(links)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.symlinkSync(target, path.join(root, name))
  }
}

function putNames(root: string): void {
  const folder = path.join(root, ".claude/agents")
  const text = "---\ndescription: A name.\n---\nText.\n"
  const names = [
    `${"n".repeat(252)}.md`,
    "clear\u001b[2J\u001b[H.md",
    "title\u001b]0;owned\u0007.md",
    "one\ntwo.md",
    "carriage\rreturn.md",
    "c1\u009b2J.md",
    "bidi\u202egnp.md",
    "zero\u200bwidth.md",
    "$(touch marker).md",
    "`touch marker`.md",
    "-rf.md",
    "--fix.md",
    "nul.md",
    "con.md",
    "..md",
    "~.md",
    "a;touch marker;.md",
    "%s%n%x.md",
    "::error file=x::owned.md",
  ]
  for (const name of names) fs.writeFileSync(path.join(folder, name), text)
  fs.writeFileSync(
    Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe]), Buffer.from(".md")]),
    text,
  )
  // 400 levels: longer than a path may be.
  const deep = `for level in $(seq 400); do mkdir -p nested-folder-$level && cd nested-folder-$level && printf 'x' > deep.md; done`
  execFileSync("bash", ["-c", deep], { cwd: folder })
}

function putSpecial(root: string, sockets: net.Server[]): void {
  const folder = path.join(root, ".claude/agents")
  execFileSync("mkfifo", ["pipe.md", "pipe-of-a-folder"], { cwd: folder })
  sockets.push(net.createServer().listen(path.join(folder, "socket.md")))
  fs.truncateSync(makeFile(path.join(folder, "huge.md"), "---\nname: huge\n---\n"), 2 ** 33)
  makeFile(path.join(folder, "long-line.md"), `---\nname: long\ndescription: ${"x".repeat(3_000_000)}\n---\n`)
  makeFile(path.join(folder, "many-keys.md"), `---\nname: keys\n${"k: 1\n".repeat(50_000)}---\n`)
  try {
    execFileSync("mknod", ["device.md", "c", "1", "5"], { cwd: folder, stdio: "ignore" })
  } catch {
    // Only root can.
  }
}

function makeFile(file: string, text: string): string {
  fs.writeFileSync(file, text)
  return file
}

function makePipes(root: string): void {
  const names = [
    ".cadre/config.yaml",
    ".cadre/agents/a.md",
    ".claude/agents/a.md",
    ".claude/skills/a/SKILL.md",
    ".codex/agents/a.md",
    ".codex/config.toml",
    ".acai/subagents/a.md",
    ".gobby/agents/a.yaml",
    "agents/a/a_subagent.yaml",
    "node_modules/evil/package.json",
    "package.json",
    ".gitignore",
    ".env",
    ".npmrc",
    ".git",
    ".mcp.json",
  ]
  for (const name of names) {
    const file = path.join(root, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    execFileSync("mkfifo", [file])
  }
}
