#!/usr/bin/env node
import "../../ground/node-version.ts"
import { version } from "../../ground/version.ts"

// The reader closed the pipe, as in `cadre list | head`: there is no one to report an error to.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit()
  throw error
})

// Scripts and shell prompts ask for the version often, so nothing else is loaded for it.
if (process.argv.length === 3 && process.argv[2] === "--version") process.stdout.write(`${version}\n`)
else await (await import("./start.ts").catch(throwTold)).start(process.argv.slice(2))

/** When no more files can be opened, the code that reports errors cannot be loaded either. */
function throwTold(error: NodeJS.ErrnoException): never {
  if (error.code !== "EMFILE" && error.code !== "ENFILE") throw error
  process.stderr.write(
    "cadre: The command cannot start: this process may open too few files (EMFILE). Raise the limit (ulimit -n).\n",
  )
  process.exit(1)
}
