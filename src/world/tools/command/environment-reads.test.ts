import { expect, test } from "vitest"
import { refuseEnvironmentReads } from "./environment-reads.ts"

test.each([
  "cat /proc/$PPID/environ",
  "cat /proc/self/environ",
  "cat /proc/self/../$PPID/environ",
  "cat /proc/1/environ | tr '\\0' '\\n'",
  "tr '\\0' '\\n' < /proc/$PPID/environ",
  "tr '\\0' '\\n' </proc/$PPID/environ",
  `strings /proc/\${PPID}/environ`,
  'cat "/proc/$PPID/envi"ron',
  "cat /proc/$PPID/en\\viron",
  "cat /proc/*/env*",
  "cat /proc/[0-9]*/e?viron",
  "cat /proc/$PPID/$FILE",
  "cat /proc/1/task/1/environ",
  "cat /proc/1/task/*/e*",
  "cd /proc/$PPID && cat environ",
  "grep -a KEY /proc/*/environ",
  "xxd /proc//$PPID//environ",
  "dd if=/proc/$PPID/mem",
  "ps e",
  "ps axe",
  "ps auxeww",
  "ps -p $PPID e",
  "/bin/ps eww",
  "sudo ps auxe",
  "echo a; ps ewwo pid,args",
  'node -e \'console.log(require("fs").readFileSync("/proc/" + process.ppid + "/environ"))\'',
])("%s reads the environment of other processes", (command) => {
  expect(refuseEnvironmentReads(command)).toContain("processes")
})

test.each([
  "env",
  "printenv PATH",
  "cat /proc/cpuinfo /proc/meminfo",
  "cat /proc/self/status",
  "ls /proc/$$/fd",
  "cat /proc/*/status",
  "ls -l /proc/$PPID/fd/*",
  "ps -ef",
  "ps aux",
  "ps -C node",
  "ps -o pid,etime -p 1",
  "ps --sort=-%mem aux",
  "ps aux | grep node",
  "python3 -c 'import os; print(os.environ)'",
  "grep -r environ src/proc",
  "grep -n environ docs/processes.md",
  "npm test -- props environments",
])("%s does not", (command) => {
  expect(refuseEnvironmentReads(command)).toBeUndefined()
})
