import { spawn } from "node:child_process"
import { once } from "node:events"
import { expect, test } from "vitest"
import { isAlive, processState, readProcessStart } from "./process-state.ts"

const isLinux = process.platform === "linux"

test.each([0, -1, Number.NaN, 1.5])("%d is the number of no process", (pid) => {
  expect([processState(pid), isAlive(pid)]).toEqual(["gone", false])
})

test("this process is there, and certainly so where its start is known", () => {
  expect(processState(process.pid)).toBe("unknown")
  expect(processState(process.pid, readProcessStart(process.pid))).toBe(isLinux ? "same" : "unknown")
})

test.skipIf(!isLinux)("a process that has the number of another is not that one", () => {
  expect(processState(process.pid, "1")).toBe("gone")
})

test("one of somebody else is there", () => {
  expect(isAlive(1)).toBe(true)
})

test("one that has ended is gone", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"])
  const [pid, start] = [child.pid!, readProcessStart(child.pid!)]
  expect([isAlive(pid), processState(pid, start)]).toEqual([true, isLinux ? "same" : "unknown"])
  child.kill("SIGKILL")
  await once(child, "close")
  expect([isAlive(pid), processState(pid, start)]).toEqual([false, "gone"])
})

test.skipIf(!isLinux)("one that nobody has looked after yet is gone, where its start is known", async () => {
  // The shell does not wait for its child and becomes another program.
  const parent = spawn("sh", ["-c", "sleep 0.05 & echo $!; exec sleep 60"])
  const [first] = (await once(parent.stdout, "data")) as [Buffer]
  const pid = Number(String(first).trim())
  const start = readProcessStart(pid)
  while (processState(pid, start) === "same") await new Promise((resolve) => setTimeout(resolve, 5))
  expect([isAlive(pid), processState(pid, start)]).toEqual([true, "gone"])
  parent.kill("SIGKILL")
  await once(parent, "close")
})
