import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { contents } from "../../../../test/file-kit.ts"
import { writeHeaderLine } from "./folder.ts"
import { sweepStore } from "./sweep.ts"

test("what killed processes left is removed once it is a day old, and nothing else", () => {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-store-")))
  onTestFinished(() => fs.rmSync(base, { recursive: true, force: true }))
  const [whole, never, young, going, unread, newer, begun] = [..."abcdefg"].map(
    (letter) => `01${letter.repeat(24)}`,
  ) as [string, string, string, string, string, string, string]
  const header = (extra: object) => writeHeaderLine({ cadre: 1, epoch: 2, owner: null, ...extra })
  const old = [
    `${whole}/log.1.jsonl`,
    `${whole}/blobs/${"0".repeat(64)}`,
    `${whole}/blobs/.0123456789abcdef`,
    `${whole}/temporary.2.0123456789ab`,
    `${never}/blobs/${"0".repeat(64)}`,
    `${never}/temporary.1.0123456789ab`,
    "mine/notes.txt",
    ".heads.0123456789ab",
  ]
  const made = [
    `${begun}/temporary.1.fedcba987654`,
    `${begun}/blobs/${"0".repeat(64)}`,
    `${whole}/blobs/.fedcba9876543210`,
    `${whole}/damaged.1.jsonl`,
    `${whole}/extent`,
    `${young}/temporary.1.0123456789ab`,
    ".heads.fedcba987654",
    "heads.jsonl",
  ]
  for (const file of [...old, ...made]) {
    fs.mkdirSync(path.dirname(path.join(base, file)), { recursive: true })
    fs.writeFileSync(path.join(base, file), file)
  }
  // A removal that has begun is finished, whatever its age.
  fs.mkdirSync(path.join(base, ".removed.0123456789ab"))
  fs.mkdirSync(path.join(base, going))
  fs.writeFileSync(path.join(base, going, "log.1.jsonl"), "")
  fs.writeFileSync(path.join(base, going, "log.2.jsonl"), header({ removed: true }))
  // Unreadable and unknown files stay.
  fs.mkdirSync(path.join(base, unread, "log.1.jsonl"), { recursive: true })
  fs.mkdirSync(path.join(base, newer))
  fs.writeFileSync(path.join(base, newer, "log.1.jsonl"), header({ cadre: 9, removed: true }))
  const dayBefore = Date.now() / 1000 - 25 * 60 * 60
  // A tree that a living process begins has an old folder, at times, and one young file.
  const aged = [`${begun}/blobs/${"0".repeat(64)}`, `${begun}/blobs`, begun]
  for (const file of [...old, ...old.map(path.dirname), never, ...aged])
    fs.utimesSync(path.join(base, file), dayBefore, dayBefore)
  const kept = [old[0]!, old[1]!, "mine/notes.txt", ...made]
  const hoursBefore = Date.now() / 1000 - 23 * 60 * 60
  for (const file of made)
    if (!aged.includes(file)) fs.utimesSync(path.join(base, file), hoursBefore, hoursBefore)
  expect(sweepStore(base)).toBe(6)
  expect(contents(base)).toEqual({
    ...Object.fromEntries(kept.map((file) => [file, file])),
    [`${newer}/log.1.jsonl`]: header({ cadre: 9, removed: true }),
  })
  expect(fs.readdirSync(path.join(base, unread))).toEqual(["log.1.jsonl"])
  expect(sweepStore(base)).toBe(0)
  expect(sweepStore(path.join(base, "none"))).toBe(0)
})
