/** What a server may send, and how long it may take. Times are in milliseconds, sizes in bytes. */
export interface McpBounds {
  /** One message on the wire. */
  readonly message: number
  /** Messages in a second that nobody asked for, such as notifications; the server is ended after more. */
  readonly unsolicited: number
  /** Tools of one server. */
  readonly tools: number
  /** Pages of a list. */
  readonly pages: number
  /** The description of a tool, and the instructions of a server. */
  readonly description: number
  /** The schema of a tool. */
  readonly schema: number
  /** The text of a result. */
  readonly result: number
  /** Until it can be asked for its tools. */
  readonly start: number
  /** Of that, until it says whether it speaks the newest protocol; one that says nothing is asked the older way. */
  readonly probe: number
  /** One page of its tools. */
  readonly list: number
  /** Between the end of its input and being told to end, and between that and being killed. */
  readonly grace: number
}

export const usualBounds: McpBounds = {
  message: 4 * 2 ** 20,
  unsolicited: 1_000,
  tools: 512,
  pages: 64,
  description: 4_096,
  schema: 65_536,
  result: 262_144,
  start: 30_000,
  probe: 5_000,
  list: 30_000,
  grace: 500,
}
