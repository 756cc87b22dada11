import { execFileSync } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { covers, coversBelow } from "../../src/run/rights/pattern.ts"
import { findShellAccesses } from "../../src/world/shell/shell-accesses.ts"

describe("what a command really changes, it was told to change", () => {
  let base: string
  beforeAll(() => {
    base = realpathSync(mkdtempSync(path.join(os.tmpdir(), "cadre-changes-")))
    prepare(path.join(base, "first"))
  })
  afterAll(() => rmSync(base, { recursive: true, force: true }))

  const shell = (cwd: string, command: string) =>
    execFileSync("/bin/bash", ["-c", command], { cwd, env, stdio: ["ignore", "ignore", "ignore"] })
  const env = {
    PATH: process.env.PATH,
    TMPDIR: os.tmpdir(),
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    ...Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((who) => [
        [`GIT_${who}_NAME`, "a"],
        [`GIT_${who}_EMAIL`, "a@b"],
      ]),
    ),
  }

  /** Two commits, two branches, something changed, something stashed, something untracked, a patch and archives. */
  function prepare(folder: string): void {
    mkdirSync(path.join(folder, "src"), { recursive: true })
    const git = (command: string) => shell(folder, `git ${command}`)
    git("init -q -b main")
    writeFileSync(path.join(folder, "src/a"), "one\n")
    writeFileSync(path.join(folder, "b"), "one\n")
    git("add . ")
    git("commit -qm one")
    git("checkout -qb side")
    writeFileSync(path.join(folder, "src/a"), "side\n")
    git("commit -qam side")
    git("checkout -q main")
    writeFileSync(path.join(folder, "b"), "stashed\n")
    git("stash -q")
    shell(folder, "git diff main side > ../x.patch; tar cf ../x.tar src")
    writeFileSync(path.join(folder, "src/a"), "changed\n")
    writeFileSync(path.join(folder, "src/new"), "new\n")
  }

  const contents = (folder: string): ReadonlyMap<string, string> =>
    new Map(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !path.join(entry.parentPath, "/").includes("/.git/"))
        .map((entry) => path.join(entry.parentPath, entry.name))
        .map((file) => [file, readFileSync(file, "utf8")]),
    )

  test.each([
    "git checkout .",
    "git checkout -- src/a",
    "git checkout -f side",
    "git checkout side -- src",
    "git restore src/a",
    "git restore -s side src",
    "git reset --hard",
    "git reset --hard side",
    "git stash",
    "git stash -u",
    "git stash pop",
    "git clean -f",
    "git clean -f src",
    "git rm -f src/a",
    "git mv src/a src/c",
    "git -C src checkout .",
    "git checkout . && git apply ../x.patch",
    "git checkout . && git merge side",
    "git checkout . && git cherry-pick side",
    "git checkout . && git switch side",
    "git checkout . && patch -p1 -i ../x.patch",
    "git checkout . && patch src/a ../x.patch",
    "tar xf ../x.tar",
    "find src -name new -delete",
    "sed -i s/changed/x/ src/a",
    "sed -i.bak s/changed/x/ src/a",
    "gzip src/a",
    "split -l 1 b out",
  ])("%s", async (command) => {
    const folder = path.join(base, command.replaceAll(/\W+/g, "-"))
    cpSync(path.join(base, "first"), folder, { recursive: true, preserveTimestamps: true })
    const before = contents(folder)
    const accesses = await findShellAccesses(command, { cwd: folder, root: folder, home: "/nonexistent" })
    shell(folder, command)
    const now = contents(folder)
    const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
      (file) => before.get(file) !== now.get(file),
    )
    expect(changed).not.toEqual([])
    const isTold = (file: string) =>
      accesses.some(
        (access) =>
          access.type === "write" &&
          (access.path === file || (access.below && file.startsWith(`${access.path}/`))),
      )
    expect(changed.filter((file) => !isTold(file))).toEqual([])
    // And a rule that forbids the file says something of it.
    for (const file of changed) {
      const rule = { tool: "Edit", argument: file }
      expect(
        accesses.some(
          (access) => covers(rule, access) || ("below" in access && coversBelow(rule, access) !== "none"),
        ),
      ).toBe(true)
    }
  })
})
