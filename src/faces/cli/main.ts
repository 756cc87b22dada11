#!/usr/bin/env node
import "../../ground/node-version.ts"
import { version } from "../../ground/version.ts"

// Whoever reads has had enough: `cadre list | head`. There is nobody left to tell.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit()
  throw error
})

// Asked for by scripts and prompts, again and again: answered without loading anything else.
if (process.argv.length === 3 && process.argv[2] === "--version") process.stdout.write(`${version}\n`)
else await (await import("./start.ts").catch(throwTold)).start(process.argv.slice(2))

/** Where no more files may be opened, nothing can be loaded that would say so. */
function throwTold(error: NodeJS.ErrnoException): never {
  if (error.code !== "EMFILE" && error.code !== "ENFILE") throw error
  process.stderr.write(
    "cadre: The command cannot start: this process may open too few files (EMFILE). Raise the limit (ulimit -n).\n",
  )
  process.exit(1)
}
