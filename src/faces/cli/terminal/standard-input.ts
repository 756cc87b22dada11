import { isatty } from "node:tty"
import type { Input } from "../command.ts"

/** The process's stdin. It is opened only when something is read. */
export const standardInput: Input = {
  get isTerminal() {
    return isatty(0)
  },

  async readAll() {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString("utf8")
  },

  onLine(listener) {
    const { stdin } = process
    let rest = ""
    const onData = (chunk: string) => {
      const lines = `${rest}${chunk}`.split(/\r?\n/)
      rest = lines.pop()!
      for (const line of lines) listener(line)
    }
    const onEnd = () => listener(undefined)
    stdin.setEncoding("utf8").on("data", onData).on("end", onEnd).on("error", onEnd)
    return () => {
      stdin.off("data", onData).off("end", onEnd).off("error", onEnd)
      stdin.pause()
      stdin.unref?.()
    }
  },
}
