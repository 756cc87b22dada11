import os from "node:os"

/** When and on what the figures were measured. */
export function machine() {
  const date = new Date().toISOString().slice(0, 16).replace("T", " ")
  return `${date} UTC, Node ${process.version}, ${os.cpus().length} cores, ${os.cpus()[0]?.model ?? os.arch()}`
}
