import { spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, expect, test } from "vitest"

const base = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-few-files-"))
afterAll(() => fs.rmSync(base, { recursive: true, force: true }))
const worker = fileURLToPath(new URL("few-files-worker.mjs", import.meta.url))

const blames = /not valid|TypeError|Cannot read prop|Cannot find package|nobody waited/
const tells = /too many (?:open files|files (?:are )?open)/i

test.each([
  [0, 0],
  [0, 3],
  [1, 1],
  [2, 0],
  [2, 2],
  [3, 0],
  [3, 1],
  [8, 0],
  [8, 3],
  [10, 5],
])("files run out after event %i, but for %i: that is what is told, and nobody is blamed", (moment, left) => {
  for (const limit of [40, 64]) {
    const directory = fs.mkdtempSync(path.join(base, "run-"))
    const command = `ulimit -n ${limit} && exec "$0" "$@"`
    const { stdout, stderr, status } = spawnSync(
      "/bin/sh",
      ["-c", command, process.execPath, worker, directory, String(moment), String(left)],
      { encoding: "utf8" },
    )
    expect({ limit, status, stderr }).toEqual({ limit, status: 0, stderr: "" })
    const { outcome, message = "", told } = JSON.parse(stdout)
    const words = [message, ...told].filter((text) => text !== "")
    expect(words.filter((text) => blames.test(text))).toEqual([])
    expect(words.filter((text) => !tells.test(text))).toEqual([])
    if (outcome === undefined) expect(message).toMatch(tells)
  }
})
