import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { expect, test } from "vitest"
import { contents, put, temporaryFolder } from "../../../test/file-kit.ts"
import { naming } from "../../../test/naming.ts"
import { replaceFile } from "./change-file.ts"
import { resolvePlace } from "./contain.ts"
import { openFile, readBytes } from "./open-file.ts"

/** 100,000 for a long test: CADRE_RACES=100000 npx vitest run src/ground/paths/change-file.test.ts */
const races = Number(process.env.CADRE_RACES ?? 5000)
const kills = 20

const statsOf = (file: string) => fs.lstatSync(file, { bigint: true })
const known = (file: string) => ({ stats: statsOf(file), bytes: fs.readFileSync(file) })

test(`168: ${races} races against somebody who exchanges a folder for a link`, async () => {
  const world = temporaryFolder({ "root/folder/file": "inside", "outside/file": "SECRET" })
  const root = path.join(world, "root")
  const enemy = spawn(process.execPath, ["-e", swapper, root, path.join(world, "outside")], {
    stdio: "ignore",
  })
  const results = { read: 0, written: 0, refused: 0 }
  try {
    for (let race = 0; race < races; race++) {
      try {
        const place = resolvePlace({ root, more: [] }, root, "folder/file", "write")
        if (place.type !== "inside") throw new Error(place.reason)
        const file = openFile(root, place.path)
        try {
          expect((await readBytes(file, 100)).toString()).not.toContain("SECRET")
          results.read++
        } finally {
          fs.closeSync(file.descriptor)
        }
        if (race % 4 > 0) continue
        await replaceFile(root, path.join(root, "folder", `new-${race}`), Buffer.from("x"), {
          expected: "absent",
        })
        results.written++
      } catch (error) {
        if ((error as Error).name === "AssertionError") throw error
        results.refused++
      }
    }
  } finally {
    enemy.kill("SIGKILL")
  }
  expect(contents(path.join(world, "outside"))).toEqual({ file: "SECRET" })
  expect(Math.min(results.read, results.refused)).toBeGreaterThan(0)
})

const swapper = `
const fs = require("node:fs")
const [root, outside] = process.argv.slice(1)
for (;;) {
  try { fs.renameSync(root + "/folder", root + "/real"); fs.symlinkSync(outside, root + "/folder") } catch {}
  for (let i = 0; i < Math.random() * 2000; i++);
  try { fs.unlinkSync(root + "/folder"); fs.renameSync(root + "/real", root + "/folder") } catch {}
  for (let i = 0; i < Math.random() * 2000; i++);
}`

test(`5: killed ${kills} times while it writes, the file is always whole, and nothing is left behind`, async () => {
  const root = temporaryFolder({ file: textFor(0) })
  const script = path.join(temporaryFolder(), "writer.mts")
  fs.writeFileSync(script, writer)
  const seen = new Set<string>()
  let leftovers = 0
  for (let kill = 0; kill < kills; kill++) {
    const child = spawn(process.execPath, ["--import", "tsx", script, path.join(root, "file")], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    await once(child.stdout!, "data")
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
    await killed(child)
    const text = fs.readFileSync(path.join(root, "file"), "utf8")
    const number = Number(text.slice(0, text.indexOf("\n")))
    expect(text === textFor(number)).toBe(true)
    seen.add(String(number))
    leftovers += fs.readdirSync(root).length - 1
  }
  put(root, { other: "x" })
  await replaceFile(root, path.join(root, "other"), Buffer.from("y"), {
    expected: known(path.join(root, "other")),
  })
  expect(fs.readdirSync(root).sort()).toEqual(["file", "other"])
  // Otherwise the kills came at no interesting moment.
  expect(seen.size + leftovers).toBeGreaterThan(2)
})

function textFor(number: number): string {
  return `${number}\n${`line of ${number}\n`.repeat(20_000)}end ${number}`
}

const writer = `
import fs from "node:fs"
import path from "node:path"
import { replaceFile } from ${JSON.stringify(pathToFileURL(path.resolve(import.meta.dirname, "change-file.ts")).href)}
${textFor.toString()}
const file = process.argv[2]
process.stdout.write("ready")
for (let number = 1; ; number++)
  await replaceFile(path.dirname(file), file, Buffer.from(textFor(number)), { expected: { stats: fs.lstatSync(file, { bigint: true }), bytes: fs.readFileSync(file) } })
`

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit")
  child.kill("SIGKILL")
  await gone
}

test("5, 172: leftovers go if their process is dead or they are old; others stay, and links are not followed", async () => {
  const root = temporaryFolder({ file: "x" })
  const dead = spawn(process.execPath, ["-e", ""])
  await once(dead, "exit")
  const name = (owner: number, letter: string) => `.cadre-write-${owner}-${letter.repeat(16)}.tmp`
  put(root, {
    [name(dead.pid!, "a")]: "dead",
    [name(process.ppid, "b")]: "alive",
    [name(process.ppid, "c")]: "old",
    [name(process.pid, "d")]: "of an earlier process of this number",
    ".cadre-write-notes.tmp": "not ours",
  })
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  fs.utimesSync(path.join(root, name(process.ppid, "c")), longAgo, longAgo)
  fs.utimesSync(path.join(root, name(process.pid, "d")), longAgo, longAgo)
  fs.symlinkSync("file", path.join(root, name(dead.pid!, "e")))
  await replaceFile(root, path.join(root, "file"), Buffer.from("y"), {
    expected: known(path.join(root, "file")),
  })
  expect(fs.readdirSync(root).sort()).toEqual(
    [".cadre-write-notes.tmp", "file", name(process.ppid, "b"), name(dead.pid!, "e")].sort(),
  )
})

test("174: no space: the original stays and nothing is left", async () => {
  const root = temporaryFolder({ file: "original" })
  const script = path.join(temporaryFolder(), "writer.mts")
  fs.writeFileSync(
    script,
    `import fs from "node:fs"
import { naming } from "../../../test/naming.ts"
import { replaceFile } from ${JSON.stringify(pathToFileURL(path.resolve(import.meta.dirname, "change-file.ts")).href)}
const file = ${JSON.stringify(path.join(root, "file"))}
await replaceFile(${JSON.stringify(root)}, file, Buffer.alloc(1_000_000), { expected: { stats: fs.lstatSync(file, { bigint: true }), bytes: fs.readFileSync(file) } })
  .catch((error) => console.log(error.message))`,
  )
  // A limit on the size of files fails in the same place as a full disk.
  const child = spawn(
    "/bin/sh",
    ["-c", 'ulimit -f 100; exec "$@"', "sh", process.execPath, "--import", "tsx", script],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, TSX_DISABLE_CACHE: "1" },
    },
  )
  let output = ""
  child.stdout.on("data", (chunk) => (output += chunk))
  await once(child, "close")
  expect(output.trim()).toEqual(naming(`${path.join(root, "file")}`, "permitted"))
  expect(contents(root)).toEqual({ file: "original" })
})
