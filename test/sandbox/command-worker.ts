/** Runs a command in the sandbox, as whoever starts this, and prints what came of it as JSON. */
import { findSandbox } from "../../src/world/sandbox/find-sandbox.ts"
import { runCommand } from "../../src/world/sandbox/run-command.ts"

const { root, home, command } = JSON.parse(process.argv[2]!) as Readonly<Record<string, string>>
const result = await runCommand({
  command: command!,
  cwd: root!,
  environment: { PATH: "/usr/local/bin:/usr/bin:/bin", CADRE_RUN: `worker:${process.pid}`, HOME: home! },
  bounds: { root: root!, home: home!, network: "none" },
  sandbox: "required",
  timeout: 60_000,
  availableSandbox: await findSandbox(),
})
process.stdout.write(JSON.stringify(result))
