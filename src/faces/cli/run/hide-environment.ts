import fs from "node:fs"
import { isMainThread } from "node:worker_threads"
import { isPassedOn } from "../../../world/sandbox/child-environment.ts"

/**
 * On Linux, every process of the user can read the environment that a process was started with, API keys included. This
 * function overwrites the variables there that no command is given; `process.env` keeps every value. With another
 * environment than `process.env`, the process belongs to another program, and is left alone.
 */
export function hideEnvironment(environment: NodeJS.ProcessEnv): void {
  if (process.platform !== "linux" || environment !== process.env || !isMainThread) return
  const secret = new Set(
    Object.entries(process.env).flatMap(([name, value]) => (isPassedOn(name, value ?? "") ? [] : [name])),
  )
  // Setting a variable again moves it to other memory, so that nothing reads the overwritten place.
  for (const name of secret) {
    const value = process.env[name]
    delete process.env[name]
    process.env[name] = value
  }
  try {
    overwrite((name) => secret.has(name))
  } catch {
    // Without /proc the environment cannot be read there. If the system forbids the write, it stays readable.
  }
}

function overwrite(isSecret: (name: string) => boolean): void {
  const text = fs.readFileSync("/proc/self/stat", "latin1")
  // Fields are counted after the program's name, which may contain anything. Fields 50 and 51 are the environment's bounds.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const [start, end] = [Number(fields[47]), Number(fields[48])]
  if (!(start > 0 && end > start && end - start < mostBytes)) return
  const memory = fs.openSync("/proc/self/mem", "r+")
  try {
    const block = Buffer.alloc(end - start)
    if (fs.readSync(memory, block, 0, block.length, start) !== block.length) return
    // If a system numbered these fields differently, this would overwrite something else.
    if (!block.equals(fs.readFileSync("/proc/self/environ"))) return
    for (let at = 0; at < block.length; ) {
      const next = block.indexOf(0, at)
      const stop = next < 0 ? block.length : next
      const name = block.subarray(at, stop).toString().split("=", 1)[0]!
      if (isSecret(name)) fs.writeSync(memory, Buffer.alloc(stop - at), 0, stop - at, start + at)
      at = stop + 1
    }
  } finally {
    fs.closeSync(memory)
  }
}

const mostBytes = 16 * 2 ** 20
