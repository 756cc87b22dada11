// The words that every adapter uses, so that all of them send the same requests.

export const SYSTEM = "You are a careful worker. Use the noop tool, then report the answer in one sentence."
export const PARENT = "You are a coordinator. Delegate the task to the worker and report its answer."
export const PROMPT = "Please do the task and tell me the answer."

/**
 * The name of a model. It is a script that the model server follows (lib/model-server.mjs), so that every library can
 * be driven without headers or settings of its own: first `turns` turns with `par` calls of `tool` each, then a text.
 */
export function script({ turns = 0, par = 1, tool = "noop", delay = 0, args }) {
  const parts = [`turns=${turns}`, `par=${par}`, `tool=${tool}`, `delay=${delay}`]
  if (args) parts.push(`args=${Buffer.from(JSON.stringify(args)).toString("base64url")}`)
  return `bench:${parts.join(",")}`
}

/** Lets at most `most` functions run at once: for libraries that have no such limit. */
export function limiter(most) {
  let running = 0
  const waiting = []
  return async (work) => {
    if (running >= most) await new Promise((resolve) => waiting.push(resolve))
    running++
    try {
      return await work()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
}
