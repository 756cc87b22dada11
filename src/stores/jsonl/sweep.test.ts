import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { contents } from "../../../test/file-kit.ts"
import { sweepStore } from "./sweep.ts"

test("what killed processes left is removed once it is a day old, and nothing else", () => {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-store-")))
  onTestFinished(() => fs.rmSync(base, { recursive: true, force: true }))
  const [whole, never, young] = ["a", "b", "c"].map((letter) => `01${letter.repeat(24)}`) as [
    string,
    string,
    string,
  ]
  const old = [
    `${whole}/log.1.jsonl`,
    `${whole}/blobs/${"0".repeat(64)}`,
    `${whole}/blobs/.0123456789abcdef`,
    `${whole}/temporary.2.0123456789ab`,
    `${never}/blobs/${"0".repeat(64)}`,
    `${never}/temporary.1.0123456789ab`,
    ".removed.0123456789ab/log.1.jsonl",
    "mine/notes.txt",
  ]
  const made = [`${whole}/blobs/.fedcba9876543210`, `${young}/temporary.1.0123456789ab`]
  for (const file of [...old, ...made]) {
    fs.mkdirSync(path.dirname(path.join(base, file)), { recursive: true })
    fs.writeFileSync(path.join(base, file), file)
  }
  const dayBefore = Date.now() / 1000 - 25 * 60 * 60
  for (const file of [...old, ...old.map(path.dirname), never])
    fs.utimesSync(path.join(base, file), dayBefore, dayBefore)
  const kept = [old[0]!, old[1]!, "mine/notes.txt", ...made]
  expect(sweepStore(base)).toBe(4)
  expect(contents(base)).toEqual(Object.fromEntries(kept.map((file) => [file, file])))
  expect(sweepStore(base)).toBe(0)
  expect(sweepStore(path.join(base, "none"))).toBe(0)
})
