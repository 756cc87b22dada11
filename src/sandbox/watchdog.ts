import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import type { Socket } from "node:net"

/** In the environment of every process that this host starts. */
export const hostName = "CADRE_HOST"
export const hostValue = randomUUID()

/**
 * Outlives the host: when its input ends, which is when the host does however that comes about, it kills what still
 * carries the host's mark.
 */
const script = `cat >/dev/null
for round in 1 2 3 4 5; do
  for file in /proc/[0-9]*/environ; do
    id=\${file#/proc/}
    grep -qzxF "$1" "$file" 2>/dev/null && kill -9 "\${id%/environ}"
  done
  sleep 0.1
done`

let started = false

/** One for each host, with the first command that needs it. */
export function startWatchdog(): void {
  if (started || process.platform !== "linux") return
  started = true
  const child = spawn("/bin/sh", ["-c", script, "cadre-watchdog", `${hostName}=${hostValue}`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
  })
  child.on("error", () => {
    started = false
  })
  child.unref()
  const input = child.stdin as Socket
  input.on("error", () => {})
  input.unref()
}
