import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { createFileTools } from "../../src/world/tools/files.ts"
import { contents, temporaryFolder, testRun } from "../file-kit.ts"
import { CommandWorld } from "../run-command-kit.ts"

const enemies: ChildProcess[] = []
afterEach(() => {
  for (const enemy of enemies.splice(0)) enemy.kill("SIGKILL")
})

/** A process that does this to the workspace for ever, or until it ends. */
async function enemy(body: string, ...words: readonly string[]): Promise<ChildProcess> {
  const script = `const fs = require("node:fs"); const [root, outside] = process.argv.slice(1)
    const spin = () => { for (let i = 0; i < Math.random() * 3000; i++); }
    const attempt = (work) => { try { work() } catch {} }
    process.stdout.write("ready"); ${body}`
  const child = spawn(process.execPath, ["-e", script, ...words], { stdio: ["ignore", "pipe", "inherit"] })
  enemies.push(child)
  await new Promise((resolve) => child.stdout!.once("data", resolve))
  return child
}

const turns = Number(process.env.CADRE_RACES ?? 100)

describe("168, 214: somebody who changes what a path leads to, at every moment", () => {
  const secret = "SECRET word\n"
  test.each<[title: string, body: string]>([
    [
      "the file for a link that leads out",
      `for (;;) {
        attempt(() => { fs.renameSync(root + "/folder/file", root + "/kept"); fs.symlinkSync(outside + "/file", root + "/folder/file") }); spin()
        attempt(() => { fs.unlinkSync(root + "/folder/file"); fs.renameSync(root + "/kept", root + "/folder/file") }); spin() }`,
    ],
    [
      "the folder for a link that leads out",
      `for (;;) {
        attempt(() => { fs.renameSync(root + "/folder", root + "/kept"); fs.symlinkSync(outside, root + "/folder") }); spin()
        attempt(() => { fs.unlinkSync(root + "/folder"); fs.renameSync(root + "/kept", root + "/folder") }); spin() }`,
    ],
    [
      "the file for a hard link to one outside",
      `for (;;) {
        attempt(() => { fs.renameSync(root + "/folder/file", root + "/kept"); fs.linkSync(outside + "/file", root + "/folder/file") }); spin()
        attempt(() => { fs.unlinkSync(root + "/folder/file"); fs.renameSync(root + "/kept", root + "/folder/file") }); spin() }`,
    ],
    [
      "the file for a folder, a pipe or nothing",
      `const { execFileSync } = require("node:child_process"); execFileSync("mkfifo", [root + "/pipe"])
      for (;;) {
        attempt(() => { fs.renameSync(root + "/folder/file", root + "/kept"); fs.mkdirSync(root + "/folder/file") }); spin()
        attempt(() => fs.rmdirSync(root + "/folder/file")); spin()
        attempt(() => fs.renameSync(root + "/pipe", root + "/folder/file")); spin()
        attempt(() => fs.renameSync(root + "/folder/file", root + "/pipe"))
        attempt(() => fs.renameSync(root + "/kept", root + "/folder/file")); spin() }`,
    ],
  ])("%s: nothing outside is read or changed, and nothing is left behind", async (title, body) => {
    const world = temporaryFolder({ "root/folder/file": "inside word\n", "outside/file": secret })
    const [root, outside] = [path.join(world, "root"), path.join(world, "outside")]
    await enemy(body, root, outside)
    const run = testRun(createFileTools({ root }), root)
    const tally = { done: 0, refused: 0 }
    // On a busy machine the enemy may not have had its turn yet.
    const isFair = () => Math.min(tally.done, tally.refused) > 0
    for (let turn = 0; turn < turns || (!isFair() && turn < 50 * turns); turn++) {
      const word = `word${turn}`
      const patch = `*** Begin Patch\n*** Update File: folder/file\n@@\n-inside word\n+inside word\n*** End Patch`
      const calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
        ["Read", { path: "folder/file" }],
        turn % 2 === 0
          ? [
              "Edit",
              { path: "folder/file", old_string: "inside", new_string: `inside${turn % 4 ? " " : ""}` },
            ]
          : ["ApplyPatch", { patch }],
        ["Write", { path: `folder/new-${turn}`, content: word }],
      ]
      for (const [tool, input] of calls) {
        const { text, isError } = await run.call(tool, input)
        // A hard link is the file itself, by another name.
        if (!title.includes("hard link")) expect(text).not.toContain("SECRET")
        tally[isError ? "refused" : "done"]++
      }
    }
    for (const one of enemies) one.kill("SIGKILL")
    await Promise.all(
      enemies.map(
        (one) =>
          new Promise((resolve) =>
            (one.exitCode ?? one.signalCode) === null ? one.once("exit", resolve) : resolve(0),
          ),
      ),
    )
    expect(contents(outside)).toEqual({ file: secret })
    expect(Object.keys(contents(world)).filter((name) => name.includes(".cadre-"))).toEqual([])
    expect(isFair()).toBe(true)
  })
})

test("101: a change of the same length, put back to the same time, is not overwritten", async () => {
  const root = temporaryFolder({ file: "one two" })
  const file = path.join(root, "file")
  const run = testRun(createFileTools({ root }), root)
  await run.call("Read", { path: "file" })
  const before = path.join(temporaryFolder(), "before")
  execFileSync("cp", ["-p", file, before])
  // The tool has loaded the file when it waits for its own writing.
  const edit = run.call("Edit", { path: "file", old_string: "one", new_string: "1" })
  await enemyWrites(file)
  execFileSync("touch", ["-r", before, file])
  const { isError } = await edit
  const now = fs.readFileSync(file, "utf8")
  expect(isError ? now : "lost").toBe("ONE TWO")
})

/** In place, as soon as a temporary file is seen: then the tool has read what it changes. */
async function enemyWrites(file: string): Promise<void> {
  while (fs.readdirSync(path.dirname(file)).length === 1)
    await new Promise((resolve) => setImmediate(resolve))
  fs.writeFileSync(file, "ONE TWO")
}

test("a patch that fails puts nothing back over what somebody else wrote since", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `f${String(index).padStart(2, "0")}`)
  const root = temporaryFolder(Object.fromEntries(names.map((name) => [name, "old\n"])))
  await enemy(
    `const first = root + "/f00", last = root + "/f59"
    while (fs.readFileSync(first, "utf8") !== "new\\n");
    fs.writeFileSync(first, "theirs\\n"); fs.writeFileSync(last, "theirs, too\\n")`,
    root,
  )
  const run = testRun(createFileTools({ root }), root)
  for (const name of names) await run.call("Read", { path: name })
  const sections = names.map((name) => `*** Update File: ${name}\n@@\n-old\n+new\n`).join("")
  const { text, isError } = await run.call("ApplyPatch", {
    patch: `*** Begin Patch\n${sections}*** End Patch`,
  })
  expect([isError, text]).toEqual([true, expect.stringMatching(/not all files.*f00 was changed/)])
  expect(contents(root)).toEqual(
    Object.fromEntries(
      names.map((name) => [name, name === "f00" ? "theirs\n" : name === "f59" ? "theirs, too\n" : "old\n"]),
    ),
  )
})

test("5: a file that a process died over while it made it can be changed, and its second name goes", async () => {
  const root = temporaryFolder({ file: "old" })
  const dead = spawn(process.execPath, ["-e", ""])
  await new Promise((resolve) => dead.once("exit", resolve))
  fs.linkSync(path.join(root, "file"), path.join(root, `.cadre-write-${dead.pid}-${"a".repeat(16)}.tmp`))
  const run = testRun(createFileTools({ root }), root)
  await run.call("Read", { path: "file" })
  expect((await run.call("Edit", { path: "file", old_string: "old", new_string: "new" })).isError).toBe(
    undefined,
  )
  expect(contents(root)).toEqual({ file: "new" })
})

test("5, 6: a run that is killed again and again makes each of its edits once", async () => {
  const world = new CommandWorld()
  try {
    const count = 8
    const numbers = Array.from({ length: count }, (_, index) => index)
    world.put("work/file", "BEGIN\nEND\n")
    world.calling(
      { tool: "Read", input: { path: "file" } },
      ...numbers.map((number) =>
        number % 2 === 0
          ? { tool: "Edit", input: { path: "file", old_string: "END\n", new_string: `${number}\nEND\n` } }
          : {
              tool: "ApplyPatch",
              input: {
                patch: `*** Begin Patch\n*** Update File: file\n@@\n-END\n+${number}\n+END\n*** Add File: new-${number}\n+x\n*** End Patch`,
              },
            },
      ),
    )
    const first = world.start(["run", "worker", "Go.", "--mode", "accept-edits", "--json", ...world.model])
    const run = await rootOf(world)
    await killSoon(first.child)
    let code: number | null = null
    for (let kills = 0; code === null; kills++) {
      const resumed = world.start(["resume", run, "--json"])
      if (kills < 6) await killSoon(resumed.child)
      code = (await resumed.ended).code
      if (kills < 6 && code !== 0) code = null
    }
    expect(code).toBe(0)
    expect(contents(world.work)).toEqual({
      file: `BEGIN\n${numbers.map((number) => `${number}\n`).join("")}END\n`,
      ...Object.fromEntries(
        numbers.filter((number) => number % 2 === 1).map((number) => [`new-${number}`, "x\n"]),
      ),
    })
  } finally {
    world.remove()
  }
})

async function rootOf(world: CommandWorld): Promise<string> {
  for (;;) {
    const { result } = await world.json("runs")
    const [first] = result.runs ?? result
    if (first) return first.id ?? first.run
  }
}

async function killSoon(child: ChildProcess): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 250 + Math.random() * 150))
  child.kill("SIGKILL")
}
