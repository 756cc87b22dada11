import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { capProcesses } from "./process-limit.ts"

/** The folder of control groups in which this process may make one. */
const parent = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"].find((folder) => {
  const own = path.join(folder, `cadre-test-${process.pid}`)
  try {
    fs.mkdirSync(own)
    const isGroup = fs.existsSync(path.join(own, "pids.max"))
    fs.rmdirSync(own)
    return isGroup
  } catch {
    return false
  }
})

test.skipIf(parent === undefined)("a group holds its limit until it is removed", async () => {
  // The number is above every number that Linux gives to a process.
  const ofDeadHost = path.join(parent!, `cadre-${2 ** 22 + 5}-x`)
  const ofLiveHost = path.join(parent!, `cadre-${process.pid}-x`)
  const ofOther = path.join(parent!, `other-${2 ** 22 + 5}-x`)
  const isThere = () => [ofDeadHost, ofLiveHost, ofOther].map((folder) => fs.existsSync(folder))
  for (const folder of [ofDeadHost, ofLiveHost, ofOther]) fs.mkdirSync(folder, { recursive: true })
  try {
    const limit = capProcesses(7)!
    const folder = path.dirname(limit.members)
    expect(path.dirname(folder)).toBe(parent)
    expect(fs.readFileSync(path.join(folder, "pids.max"), "utf8")).toBe("7\n")
    expect([limit.processes(), limit.wasMet(), fs.existsSync(limit.members)]).toEqual([[], false, true])
    limit.remove()
    expect(fs.existsSync(folder)).toBe(false)
    // A removed group is empty, and was never at its limit.
    expect([limit.processes(), limit.wasMet()]).toEqual([[], false])
    expect(isThere()).toEqual([false, true, true])
    // Only the first group of a host looks for groups of dead hosts.
    fs.mkdirSync(ofDeadHost)
    capProcesses(7)!.remove()
    expect(isThere()).toEqual([true, true, true])
  } finally {
    for (const folder of [ofDeadHost, ofLiveHost, ofOther]) if (fs.existsSync(folder)) fs.rmdirSync(folder)
  }
})

test.skipIf(process.getuid?.() === 0)("another user than root has no group", () => {
  expect(capProcesses(7)).toBeUndefined()
})
