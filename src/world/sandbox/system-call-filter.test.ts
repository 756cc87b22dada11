import { describe, expect, test } from "vitest"
import { buildSystemCallFilter, findMissingFilterReason } from "./system-call-filter.ts"

const program = buildSystemCallFilter()

interface SystemCall {
  readonly processor: number
  readonly number: number
  readonly arguments?: readonly number[]
}

/** Runs the few instructions that such a filter may have, as the kernel would for a call. */
function judge({ processor, number, arguments: given = [] }: SystemCall): string {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number >>> 0, 0)
  data.writeUInt32LE(processor >>> 0, 4)
  given.forEach((value, index) => {
    data.writeBigUInt64LE(BigInt(value), 16 + 8 * index)
  })
  let loaded = 0
  for (let at = 0; at < program.length / 8; at++) {
    const [code, whenTrue, whenFalse, value] = [
      program.readUInt16LE(at * 8),
      program.readUInt8(at * 8 + 2),
      program.readUInt8(at * 8 + 3),
      program.readUInt32LE(at * 8 + 4),
    ]
    const jump = (holds: boolean) => {
      at += holds ? whenTrue : whenFalse
    }
    if (code === 0x20) loaded = data.readUInt32LE(value)
    else if (code === 0x05) at += value
    else if (code === 0x15) jump(loaded === value)
    else if (code === 0x25) jump(loaded > value)
    else if (code === 0x45) jump((loaded & value) !== 0)
    else if (code === 0x06) return ended(value)
    else throw new Error(`There is no instruction ${code}.`)
  }
  throw new Error("The filter has no end.")
}

const names: Readonly<Record<number, string>> = { 1: "EPERM", 38: "ENOSYS", 97: "EAFNOSUPPORT" }

function ended(value: number): string {
  if (value === 0x7fff0000) return "allowed"
  expect(value - (value & 0xffff)).toBe(0x00050000)
  return names[value & 0xffff] ?? `error ${value & 0xffff}`
}

const processors = { x64: 0xc000003e, i386: 0x40000003, arm64: 0xc00000b7, riscv64: 0xc00000f3 }
type Name = keyof typeof processors

/** The numbers in the headers of the kernel; a call that a processor does not have is left out. */
const numbers: Readonly<Record<string, Partial<Readonly<Record<Name, number>>>>> = {
  open: { x64: 2, i386: 5 },
  creat: { x64: 85, i386: 8 },
  openat: { x64: 257, i386: 295, arm64: 56, riscv64: 56 },
  chmod: { x64: 90, i386: 15 },
  fchmod: { x64: 91, i386: 94, arm64: 52, riscv64: 52 },
  fchmodat: { x64: 268, i386: 306, arm64: 53, riscv64: 53 },
  fchmodat2: { x64: 452, i386: 452, arm64: 452, riscv64: 452 },
  mknod: { x64: 133, i386: 14 },
  mknodat: { x64: 259, i386: 297, arm64: 33, riscv64: 33 },
  clone: { x64: 56, i386: 120, arm64: 220, riscv64: 220 },
  unshare: { x64: 272, i386: 310, arm64: 97, riscv64: 97 },
  socket: { x64: 41, i386: 359, arm64: 198, riscv64: 198 },
  setns: { x64: 308, i386: 346, arm64: 268, riscv64: 268 },
  add_key: { x64: 248, i386: 286, arm64: 217, riscv64: 217 },
  request_key: { x64: 249, i386: 287, arm64: 218, riscv64: 218 },
  keyctl: { x64: 250, i386: 288, arm64: 219, riscv64: 219 },
  bpf: { x64: 321, i386: 357, arm64: 280, riscv64: 280 },
  perf_event_open: { x64: 298, i386: 336, arm64: 241, riscv64: 241 },
  userfaultfd: { x64: 323, i386: 374, arm64: 282, riscv64: 282 },
  open_by_handle_at: { x64: 304, i386: 342, arm64: 265, riscv64: 265 },
  socketcall: { i386: 102 },
  openat2: { x64: 437, i386: 437, arm64: 437, riscv64: 437 },
  clone3: { x64: 435, i386: 435, arm64: 435, riscv64: 435 },
  io_uring_setup: { x64: 425, i386: 425, arm64: 425, riscv64: 425 },
  io_uring_enter: { x64: 426, i386: 426, arm64: 426, riscv64: 426 },
  io_uring_register: { x64: 427, i386: 427, arm64: 427, riscv64: 427 },
}

/** The answer is the same on every processor that has the call. */
function everywhere(call: string, given: readonly number[] = []): string {
  const answers = Object.entries(numbers[call]!).map(([name, number]) =>
    judge({ processor: processors[name as Name], number, arguments: given }),
  )
  expect(new Set(answers).size).toBe(1)
  return answers[0]!
}

const [setUid, setGid, plain] = [0o4755, 0o2755, 0o1777]
const [create, temporary, append] = [0o100, 0o20000000, 0o2000]
const newUser = 0x10000000

describe("a system call of any processor", () => {
  test.each<[string, readonly number[], string]>([
    ...["setns", "add_key", "request_key", "keyctl", "bpf", "perf_event_open"].map(
      (call) => [call, [], "EPERM"] as [string, readonly number[], string],
    ),
    ["userfaultfd", [], "EPERM"],
    ["open_by_handle_at", [], "EPERM"],
    ...["openat2", "clone3", "socketcall", "io_uring_setup", "io_uring_enter", "io_uring_register"].map(
      (call) => [call, [], "ENOSYS"] as [string, readonly number[], string],
    ),
    ...["chmod", "fchmod", "creat", "mknod"].flatMap((call): [string, readonly number[], string][] => [
      [call, [setUid, setUid], "EPERM"],
      [call, [0, setGid], "EPERM"],
      [call, [setUid, plain], "allowed"],
    ]),
    ...["fchmodat", "fchmodat2", "mknodat"].flatMap((call): [string, readonly number[], string][] => [
      [call, [0, 0, setUid], "EPERM"],
      [call, [0, 0, setGid], "EPERM"],
      [call, [setUid, setUid, plain, setUid], "allowed"],
    ]),
    ["open", [0, create, setUid], "EPERM"],
    ["open", [0, temporary, setGid], "EPERM"],
    ["open", [0, append, setUid], "allowed"],
    ["open", [create, create, plain, setUid], "allowed"],
    ["openat", [0, 0, create, setUid], "EPERM"],
    ["openat", [0, 0, temporary, setGid], "EPERM"],
    ["openat", [0, create, append, setUid], "allowed"],
    ["openat", [0, 0, create, plain], "allowed"],
    ["clone", [newUser], "EPERM"],
    ["clone", [0x11, newUser], "allowed"],
    ["unshare", [newUser | 0x20000], "EPERM"],
    ["unshare", [0x20000], "allowed"],
    ...[1, 2, 10, 16].map((family): [string, readonly number[], string] => ["socket", [family], "allowed"]),
    ...[0, 3, 4, 17, 38, 40].map((family): [string, readonly number[], string] => [
      "socket",
      [family],
      "EAFNOSUPPORT",
    ]),
  ])("%s %j: %s", (call, given, expected) => expect(everywhere(call, given)).toBe(expected))

  test.each(Object.entries(processors))("%s: all that is not named is allowed", (name, processor) => {
    const named = Object.values(numbers).flatMap((by) => by[name as Name] ?? [])
    for (let number = 0; number < 600; number++) {
      const answer = judge({ processor, number, arguments: [1] })
      if (!named.includes(number)) expect({ number, answer }).toEqual({ number, answer: "allowed" })
    }
  })

  test("of a processor that is not known is refused, and so is the second way to count of x86-64", () => {
    expect(judge({ processor: 0x14, number: 1 })).toBe("ENOSYS")
    expect(judge({ processor: processors.x64, number: 0x3fffffff })).toBe("allowed")
    expect(judge({ processor: processors.x64, number: 0x40000000 })).toBe("ENOSYS")
    expect(judge({ processor: processors.arm64, number: 0x40000000 })).toBe("allowed")
  })
})

test.each<[string, unknown]>([
  ...["x64", "ia32", "arm64", "riscv64"].map((processor): [string, unknown] => [processor, undefined]),
  ["s390x", expect.stringContaining("s390x")],
  ["", expect.stringContaining("no system call filter")],
])("the processor %j has a filter, or the reason is %s", (processor, expected) => {
  expect(findMissingFilterReason(processor)).toEqual(expected)
})
