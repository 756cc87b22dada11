import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import type { Access } from "../../src/agent/tool.ts"
import { everyTableInstalled } from "../../src/world/shell/machine.ts"
import { findShellAccesses } from "../../src/world/shell/shell-accesses.ts"

const folder = path.resolve(import.meta.dirname, "../../test/shell")
export const everydayFile = path.join(folder, "everyday.txt")
export const everydayFloorFile = path.join(folder, "everyday-floor.json")

/** Judgements by command line, each as lines such as `read ROOT/src/**`. */
export type Judgements = Readonly<Record<string, readonly string[]>>

/** Judges every line of `everyday.txt` in a small project. Its places are written as ROOT, HOME and ABOVE. */
export async function judgeEveryday(): Promise<Judgements> {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-everyday-")))
  try {
    const [root, home] = [path.join(base, "project"), path.join(base, "home")]
    for (const name of [...folders, home]) fs.mkdirSync(path.resolve(root, name), { recursive: true })
    for (const name of files) fs.writeFileSync(path.join(root, name), "x\n")
    const judged: Record<string, readonly string[]> = {}
    for (const line of fs.readFileSync(everydayFile, "utf8").split("\n")) {
      if (line === "") continue
      const accesses = await findShellAccesses(line, { cwd: root, root, home, machine: everyTableInstalled })
      judged[line] = accesses.map((access) =>
        inWords(access).replaceAll(root, "ROOT").replaceAll(home, "HOME").replaceAll(base, "ABOVE"),
      )
    }
    return judged
  } finally {
    fs.rmSync(base, { recursive: true, force: true })
  }
}

/** Whether rules cannot tell what a command does: they ask a person, or refuse it. */
export const isUnknown = (accesses: readonly Access[]): boolean =>
  accesses.some((access) => isUnknownInWords(inWords(access)))

export const isUnknownInWords = (access: string): boolean => /^(?:unknown|unclear|dangerous) /.test(access)

function inWords(access: Access): string {
  switch (access.type) {
    case "command":
      return `${access.loose ? "unknown" : "command"} ${access.text}`
    case "read":
      return `read ${access.path}${access.below ? "/**" : ""}`
    case "write": {
      const uses = { certain: "change", possible: "may-change" }
      return `${access.implied ? uses[access.implied] : "write"} ${access.path}${access.below ? "/**" : ""}`
    }
    case "host":
      return `host ${access.host}`
    case "agent":
    case "executor":
      return `${access.type} ${access.name}`
    case "unclear":
    case "dangerous":
      return `${access.type} ${access.reason}`
  }
}

const folders = [
  ...[
    "src/lib",
    "src/new",
    "test",
    "tests",
    "logs",
    "scripts",
    "dist",
    "backup",
    "node_modules/.bin",
    ".git",
  ],
]

const files = [
  ...[
    "package.json",
    "package-lock.json",
    "README.md",
    "CHANGELOG.md",
    "tsconfig.json",
    ".env",
    ".env.example",
  ],
  ...[
    "src/index.ts",
    "src/lib/util.ts",
    "test/index.test.ts",
    "tests/test_a.py",
    "scripts/build.sh",
    "Makefile",
  ],
  ...["data.csv", "out.csv", "a.txt", "b.txt", "notes.txt", "out.txt", "list.txt", "encoded.txt", "data.bin"],
  ...[
    "out.tgz",
    "out.tar",
    "archive.zip",
    "data.csv.gz",
    "fix.patch",
    "script.py",
    "script.js",
    "logs/app.log",
  ],
]
