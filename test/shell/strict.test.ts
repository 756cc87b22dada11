import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Decision } from "../../src/agent/agent.ts"
import { type Mode, rulesOfMode } from "../../src/definitions/authority/mode.ts"
import { judge as judgeRules } from "../../src/run/rights/rights.ts"
import { type Machine, thisMachine } from "../../src/world/shell/machine.ts"
import { knownPrograms } from "../../src/world/shell/programs/known.ts"
import { shellAccesses } from "../../src/world/shell/shell-accesses.ts"
import { bashTool } from "../../src/world/tools/bash.ts"
import { commandsOf, isClear, judge, reasonsOf, touchedBy } from "./kit.ts"

describe("a shortened option is the option that it is short for", () => {
  test.each([
    ["sort --o=f a", ["write /no/workspace/f", "read /no/workspace/a"]],
    ["sort --outp f a", ["write /no/workspace/f", "read /no/workspace/a"]],
    ["sed --i s/a/b/ f", ["read /no/workspace/f", "write /no/workspace/f"]],
    ["cp --t=d a", ["read /no/workspace/a", "write /no/workspace/d/**"]],
    ["touch --ref=a b", ["read /no/workspace/a", "write /no/workspace/b"]],
    ["git archive --outp=f HEAD", ["write /no/workspace/f", "read /no/workspace/**"]],
    ["git blame --cont=a b", ["read /no/workspace/a", "read /no/workspace/b"]],
  ])("%s", async (command, expected) => {
    expect([await touchedBy(command), await isClear(command)]).toEqual([expected, true])
  })
})

describe("every value and every operand is looked at", () => {
  test.each([
    ["touch -m f", ["write /no/workspace/f"]],
    ["chmod --reference=x f", ["read /no/workspace/x", "write /no/workspace/f"]],
    ["chmod -x f", ["write /no/workspace/f"]],
    ["chown --from=me you f", ["write /no/workspace/f", "read /no/workspace/f"]],
    ["shuf -o f a", ["write /no/workspace/f", "read /no/workspace/a"]],
    ["diff --from-file=f a", ["read /no/workspace/f/**", "read /no/workspace/a/**"]],
    ["curl --stderr f a.com", ["write /no/workspace/f", "host a.com"]],
    ["curl file://localhost/no/f", ["read /no/f"]],
    ["curl FILE:///no/f%61", ["read /no/fa", "read /no/f%61"]],
    ["man ./f", ["read /no/workspace/f"]],
    ["xxd a f", ["read /no/workspace/a", "write /no/workspace/f"]],
    ["git interpret-trailers f", ["read /no/workspace/f"]],
    ["tar -xf a.tar -C x -C ..", ["read /no/workspace/a.tar", "write /no/workspace/**"]],
    ["tar -xf a.tar -C x -C ../y", ["read /no/workspace/a.tar", "write /no/workspace/y/**"]],
    ["ssh a.com -E f ls", ["write /no/workspace/f", "host a.com"]],
    [
      "patch -d sub -i ../p",
      ["read /no/workspace/p", "read /no/workspace/sub/**", "change /no/workspace/sub/**"],
    ],
    ["strace -o f ls", ["write /no/workspace/f"]],
    ["rmdir -p a/b", ["write /no/workspace/a/b", "write /no/workspace/a"]],
    ["uniq a f", ["read /no/workspace/a", "write /no/workspace/f"]],
    ["cd sub && ls", ["read /no/workspace/sub"]],
    ["xxd a -r", ["read /no/workspace/a", "write /no/workspace/-r"]],
    ["scp -q a -3", ["read /no/workspace/a/**", "change /no/workspace/-3/**"]],
    ["rev -", ["read /no/workspace/-"]],
    ["shuf --random-source - a", ["read /no/workspace/-", "read /no/workspace/a"]],
    ["column -", ["read /no/workspace/-"]],
    ["hexdump -f - a", ["read /no/workspace/-", "read /no/workspace/a"]],
    ["git ls-remote file:a", ["host file"]],
    ["git grep -- a", ["read /no/workspace/a", "read /no/workspace/**"]],
    ["git grep -e b -- a", ["read /no/workspace/a", "read /no/workspace/a/**"]],
    ["git hash-object - x:a", ["read /no/workspace/-", "read /no/workspace/x:a"]],
    [
      "git diff HEAD~1 @{1} -- a",
      ["read /no/workspace/@{1}", "read /no/workspace/a", "read /no/workspace/a/**"],
    ],
    ["git remote add far https://a.com/b", ["host a.com", "change /no/workspace/.git/config"]],
    ["git remote prune a b:c", ["host b"]],
    ["git push --repo b:c", ["host b"]],
    ["git apply --check p", ["read /no/workspace/p", "read /no/workspace/**"]],
    ["git add '*.ts'", ["read /no/workspace/*.ts", "read /no/workspace/**"]],
    ["git add -fA", ["read /no/workspace/**"]],
    [
      "git stash save -- a",
      ["change /no/workspace/**", "change /no/workspace/save/**", "read /no/workspace/a"],
    ],
    [
      "rsync --backup a c/b",
      [
        "read /no/workspace/a/**",
        "change /no/workspace/c/b/**",
        "read /no/workspace/c/b/**",
        "change /no/workspace/c/**",
      ],
    ],
    ["rsync -a a b", ["read /no/workspace/a/**", "change /no/workspace/b/**", "read /no/workspace/b/**"]],
  ])("%s", async (command, expected) => {
    expect([await touchedBy(command), await isClear(command)]).toEqual([expected, true])
  })
})

describe("what an option does cannot be told", () => {
  test.each([
    "file -m a b",
    "git ls-files --eol",
    "git ls-files -o --exclude-per-directory=a",
    "git init --separate-git-dir=a",
    "man -L a b",
    "man --encoding=a b",
    "less -O a b",
    "less -y1ka b",
    "less '-Pa$ka' b",
    "unzip a.zip -d x -d y",
    "unzip a.zip -d -p",
    "diff -l a b",
    "tree --gitfile a",
    "unzip - a",
    "git rev-parse --help",
    "git show --output --decorate-refs-exclude a b",
  ])("%s", async (command) => {
    expect(await isClear(command)).toBe(false)
  })
})

describe("what a table does not have makes the command one that nobody knows", () => {
  test.each([
    "sort --nonsense a",
    "sort --r a",
    "sort --version=x",
    "ls -j",
    "tr a b c",
    "base64 a b",
    "git log --nonsense",
    "git blame -Q f",
    "git nonsense f",
    "git config user.name --global",
    "curl --outp f a.com",
    "curl --output=f a.com",
    "rg --nonsense x",
    "find . -nonsense",
    "dd if=a nonsense=b",
    "jq --nonsense . a",
    "xxd -Q a",
    "zip -TT cmd a b",
    "ps --nonsense",
    "sort --compress-program=x a",
    "strace -o '|x' ls",
    "sed --e='1e x' f",
    "env -S 'a b'",
    "cat /proc/self/cwd/f",
  ])("%s", async (command) => {
    expect(await reasonsOf(command, "unclear")).not.toEqual([])
  })
})

describe("rules", () => {
  let root: string
  beforeAll(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-strict-")))
    for (const name of ["a", "secret"]) fs.writeFileSync(path.join(root, name), "x\n")
    fs.mkdirSync(path.join(root, "sub"))
    fs.symlinkSync("../secret", path.join(root, "sub/link"))
  })
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

  async function decided(
    command: string,
    mode: Mode,
    said: Partial<Record<Decision, readonly string[]>>,
  ): Promise<Decision> {
    const tool = bashTool({ root, sandbox: "off" })
    if (tool.kind !== "function") throw new Error("it is a function")
    const { rules, otherwise } = rulesOfMode(mode, root)
    const own = (["allow", "ask", "deny"] as const).flatMap((decision) =>
      (said[decision] ?? []).map((one) => ({ tool: one.replace("ROOT", root), decision })),
    )
    const accesses = await tool.accesses!({ command }, { cwd: root })
    return judgeRules([{ of: "the configuration", rules: [...own, ...rules], otherwise }], {
      tool: "Bash",
      accesses,
    }).decision
  }

  test("a rule that allows a program does not cover what its table does not know", async () => {
    const allow = ["Bash(sort:*)"]
    expect({
      known: await decided("sort -r a", "default", { allow }),
      unknown: await decided("sort --nonsense a", "default", { allow }),
      written: await decided("sort --o=b a", "default", { allow }),
    }).toEqual({ known: "allow", unknown: "ask", written: "ask" })
  })

  test.each(["cat sub/l*", "find sub -exec cat {} +", "diff sub a", "sed -i.bak p secret", "git add secret"])(
    "a rule that denies a file binds %s",
    async (command) => {
      const decision = await decided(command, "bypass", { deny: ["Read(ROOT/secret)"] })
      expect(decision).not.toBe("allow")
    },
  )

  test.each([
    ["npm --prefix x publish", "npm publish"],
    ["npm publ", "npm publish"],
    ["npm -s pub --tag x", "npm publish"],
    ["yarn --cwd x publish", "yarn publish"],
    ["pnpm -C x publish", "pnpm publish"],
    ["cargo +nightly --locked publish", "cargo publish"],
    ["docker --context x push y", "docker push"],
    ["kubectl -n x delete pod y", "kubectl delete"],
    ["gh -R a/b pr merge 1", "gh pr merge"],
    ["gh pr -R a/b merge 1", "gh pr merge"],
    ["terraform -chdir=x apply", "terraform apply"],
  ])("%s is known by its verb", async (command, verb) => {
    const about = [`Bash(${verb}:*)`]
    expect({
      denied: await decided(command, "bypass", { deny: about }),
      asked: await decided(command, "bypass", { ask: about }),
      allowed: await decided(command, "default", { allow: about }),
    }).toEqual({ denied: "deny", asked: "ask", allowed: "ask" })
  })
})

describe("of another version than its table names a program is unknown to rules that deny or ask", () => {
  const other: Machine = { has: () => false }
  const options = { cwd: "/no/workspace", home: "/no/home" }

  test("what the table says is told all the same", async () => {
    expect(await shellAccesses("sort -o b a", { ...options, machine: other })).toEqual([
      { type: "command", text: "sort -o b a", loose: "free", part: 1 },
      { type: "write", path: "/no/workspace/b", by: 1 },
      { type: "read", path: "/no/workspace/a" },
    ])
    expect(await judge("sort a")).toEqual([
      { type: "command", text: "sort a" },
      { type: "read", path: "/no/workspace/a" },
    ])
  })

  test("what the shell does itself has no version", async () => {
    expect(await shellAccesses("echo a && test -f b", { ...options, machine: other })).toEqual([
      { type: "command", text: "echo a" },
      { type: "command", text: "test -f b" },
    ])
  })

  test("a program is not the one of its table where another of its name comes first, or a link leads elsewhere", () => {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-machine-")))
    try {
      fs.writeFileSync(path.join(folder, "sort"), "#!/bin/sh\n", { mode: 0o755 })
      const version = knownPrograms.get("sort")!.table.version
      expect([
        thisMachine(`${folder}:/usr/bin:/bin`).has("sort", version),
        thisMachine("/nowhere").has("sort", version),
        thisMachine("/usr/bin:/bin").has("sort", "coreutils 8.32"),
        thisMachine("/usr/bin:/bin").has("sort", "nonsense 9.1"),
      ]).toEqual([false, false, false, false])
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })
})

test("a program that lies elsewhere is nobody's, whatever it is called", async () => {
  for (const command of ["./sort a", "/usr/local/bin/sort a", "bin/cat a"])
    expect((await judge(command))[0]).toMatchObject({ type: "command", loose: "free" })
  expect(await commandsOf("/usr/bin/sort a")).toEqual(["sort a"])
  expect((await judge("/usr/bin/sort a"))[0]).toEqual({ type: "command", text: "sort a" })
})
