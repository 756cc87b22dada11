/** Limits for one server. Times are in milliseconds, sizes in bytes. */
export interface McpBounds {
  /** The size of one message on the wire. */
  readonly message: number
  /** Unrequested messages in one second, such as notifications. A server that sends more is ended. */
  readonly unsolicited: number
  /** The number of tools of one server. */
  readonly tools: number
  /** The number of pages of one list. */
  readonly pages: number
  /** The size of a tool's description, and of the server's instructions. */
  readonly description: number
  /** The size of a tool's schema. */
  readonly schema: number
  /** The size of a result's text. */
  readonly result: number
  /** The time until the server is ready to list its tools. */
  readonly start: number
  /**
   * The part of `start` in which the server must say whether it speaks the newest protocol. A silent server is asked in
   * the older protocol.
   */
  readonly probe: number
  /** The time for one page of tools, and for the whole list. */
  readonly list: number
  /** The time between closing the server's input and telling it to end, and between that and killing it. */
  readonly grace: number
  /** The time that a server is kept for the answer of a person, while its tree rests. */
  readonly hold: number
}

export const defaultMcpBounds: McpBounds = {
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
  hold: 600_000,
}
