/**
 * A seccomp filter for bubblewrap. It refuses system calls that no command needs and that reach beyond the sandbox:
 * - Set-uid and set-gid bits. For root they would take effect outside: the files belong to the real root.
 * - New user namespaces, which come with every capability.
 * - Keys, BPF and io_uring: no namespace contains them, or they let the kernel do what is refused here.
 * - Kinds of sockets that no network namespace contains, such as those to the host of a virtual machine.
 */
export function buildSystemCallFilter(): Buffer {
  return Buffer.concat([
    ...processors.flatMap(({ audit, calls, mostNumber }) => {
      const checks = [
        load(numberAt),
        ...(mostNumber === undefined ? [] : [jump("above", mostNumber, 0, 1), refuse("ENOSYS")]),
        ...Object.entries(calls).flatMap(([name, number]) => {
          const body = bodies[name as Call]
          return [jump("equal", number, 0, body.length), ...body]
        }),
        allow,
      ]
      return [load(processorAt), jump("equal", audit, 1, 0), skip(checks.length), ...checks]
    }),
    // The system calls of any other processor are unknown.
    refuse("ENOSYS"),
  ])
}

/** The reason why there is no filter for this processor; undefined if there is one. */
export const findMissingFilterReason = (processor: string = process.arch): string | undefined =>
  ["x64", "ia32", "arm64", "riscv64"].includes(processor)
    ? undefined
    : `cadre has no system call filter for the processor ${processor}`

const [numberAt, processorAt] = [0, 4]
const argumentAt = (index: number): number => 16 + 8 * index

const setIdBits = 0o6000
/** `O_CREAT` and `O_TMPFILE`: without them the mode is whatever is in the register. */
const creating = 0o100 | 0o20000000
const newUserNamespace = 0x10000000
/** Unix, IPv4, IPv6 and netlink. */
const socketFamilies = [1, 2, 10, 16]

const errors = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const

function instruction(code: number, value: number, whenTrue = 0, whenFalse = 0): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(whenTrue, 2)
  bytes.writeUInt8(whenFalse, 3)
  bytes.writeUInt32LE(value >>> 0, 4)
  return bytes
}

const load = (offset: number): Buffer => instruction(0x20, offset)
const skip = (count: number): Buffer => instruction(0x05, count)
const jump = (
  test: "equal" | "above" | "any-bit",
  value: number,
  whenTrue: number,
  whenFalse: number,
): Buffer => instruction({ equal: 0x15, above: 0x25, "any-bit": 0x45 }[test], value, whenTrue, whenFalse)
const allow = instruction(0x06, 0x7fff0000)
const refuse = (error: keyof typeof errors): Buffer => instruction(0x06, 0x00050000 | errors[error])

const refuseBits = (index: number, bits: number): readonly Buffer[] => [
  load(argumentAt(index)),
  jump("any-bit", bits, 0, 1),
  refuse("EPERM"),
  allow,
]

const refuseCreating = (flags: number, mode: number): readonly Buffer[] => [
  load(argumentAt(flags)),
  jump("any-bit", creating, 0, 3),
  ...refuseBits(mode, setIdBits),
]

const refuseOtherFamilies: readonly Buffer[] = [
  load(argumentAt(0)),
  ...socketFamilies.map((family, index) => jump("equal", family, socketFamilies.length - index, 0)),
  refuse("EAFNOSUPPORT"),
  allow,
]

/**
 * Programs do without calls that an older kernel does not have. The arguments of these calls are in memory,
 * where a filter cannot look.
 */
const notThere = [refuse("ENOSYS")]
const forbidden = [refuse("EPERM")]

const bodies = {
  chmod: refuseBits(1, setIdBits),
  fchmod: refuseBits(1, setIdBits),
  fchmodat: refuseBits(2, setIdBits),
  fchmodat2: refuseBits(2, setIdBits),
  creat: refuseBits(1, setIdBits),
  mknod: refuseBits(1, setIdBits),
  mknodat: refuseBits(2, setIdBits),
  open: refuseCreating(1, 2),
  openat: refuseCreating(2, 3),
  openat2: notThere,
  clone: refuseBits(0, newUserNamespace),
  unshare: refuseBits(0, newUserNamespace),
  clone3: notThere,
  setns: forbidden,
  socket: refuseOtherFamilies,
  socketcall: notThere,
  io_uring_setup: notThere,
  io_uring_enter: notThere,
  io_uring_register: notThere,
  add_key: forbidden,
  request_key: forbidden,
  keyctl: forbidden,
  bpf: forbidden,
  perf_event_open: forbidden,
  userfaultfd: forbidden,
  open_by_handle_at: forbidden,
} as const satisfies Readonly<Record<string, readonly Buffer[]>>

type Call = keyof typeof bodies

interface Processor {
  /** The `AUDIT_ARCH_…` of the kernel. */
  readonly audit: number
  readonly calls: { readonly [name in Call]?: number }
  /** Higher numbers belong to another set of calls. */
  readonly mostNumber?: number
}

const everywhere = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  clone3: 435,
  openat2: 437,
  fchmodat2: 452,
}

const generic = {
  ...everywhere,
  mknodat: 33,
  fchmod: 52,
  fchmodat: 53,
  openat: 56,
  unshare: 97,
  socket: 198,
  add_key: 217,
  request_key: 218,
  keyctl: 219,
  clone: 220,
  perf_event_open: 241,
  open_by_handle_at: 265,
  setns: 268,
  bpf: 280,
  userfaultfd: 282,
}

const processors: readonly Processor[] = [
  {
    // x86-64; the numbers of its second set of calls (x32) begin above the limit.
    audit: 0xc000003e,
    mostNumber: 0x3fffffff,
    calls: {
      ...everywhere,
      open: 2,
      socket: 41,
      clone: 56,
      creat: 85,
      chmod: 90,
      fchmod: 91,
      mknod: 133,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      openat: 257,
      mknodat: 259,
      fchmodat: 268,
      unshare: 272,
      perf_event_open: 298,
      open_by_handle_at: 304,
      setns: 308,
      bpf: 321,
      userfaultfd: 323,
    },
  },
  {
    // i386, whose calls a 64-bit kernel takes, too.
    audit: 0x40000003,
    calls: {
      ...everywhere,
      open: 5,
      creat: 8,
      mknod: 14,
      chmod: 15,
      fchmod: 94,
      socketcall: 102,
      clone: 120,
      add_key: 286,
      request_key: 287,
      keyctl: 288,
      openat: 295,
      mknodat: 297,
      fchmodat: 306,
      unshare: 310,
      perf_event_open: 336,
      open_by_handle_at: 342,
      setns: 346,
      bpf: 357,
      socket: 359,
      userfaultfd: 374,
    },
  },
  { audit: 0xc00000b7, calls: generic }, // AArch64
  { audit: 0xc00000f3, calls: generic }, // RISC-V
]
