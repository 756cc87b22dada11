import { spawnSync } from "node:child_process"

/** Milliseconds that `node WORDS` takes from start to end. Throws where it fails. */
export function timeNode(words, options = {}) {
  const started = performance.now()
  const { status, stderr, error } = spawnSync(process.execPath, words, {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    ...options,
  })
  if (status !== 0) throw new Error(`node ${words.join(" ")} ended with ${status}: ${error ?? stderr}`)
  return performance.now() - started
}
