import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

const MOST_DELAY = 15 * 60 * 1000;
const SOON = 5_000;

export type Received = { messageId: string; receiptHandle: string; body: string; receiveCount: number };

type Options = {
  name: string;
  visibilityTimeout: number;
  /** How often a message is received at most; then it goes to the dead-letter queue. */
  maxReceiveCount?: number;
  deadLetters?: Queue;
  /** Whether a message is delivered twice, and whether a delivery is late. */
  isDoubled?: (body: string) => boolean;
  isLate?: () => boolean;
  /** Whether a message that is received is not hidden from others: whoever deletes it, deletes it for both. */
  isShared?: (body: string) => boolean;
};

type Message = { id: string; body: string; visibleAt: number; receives: number; receipt: string };

/** A standard queue of SQS: at least once, in any order. */
export class Queue {
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #options: Options;
  readonly #messages = new Map<number, Message>();
  #count = 0;
  #wake: () => void = () => {};

  constructor(scheduler: Scheduler, random: Random, options: Options) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.#options = options;
  }

  get size() {
    return this.#messages.size;
  }

  get name() {
    return this.#options.name;
  }

  /** What is called when a message may be there to receive. */
  onMessage(wake: () => void): void {
    this.#wake = wake;
  }

  wake(): void {
    this.#wake();
  }

  send(body: string, delay = 0): void {
    if (delay > MOST_DELAY) throw new Error('DelaySeconds must be at most 900');
    const id = `${this.name}-${++this.#count}`;
    const { isDoubled, isLate } = this.#options;
    for (let copies = isDoubled?.(body) ? 2 : 1; copies > 0; copies--) {
      const extra = isLate?.() ? this.#random.between(1000, 120_000) : this.#random.int(50);
      this.#add({ id, body, visibleAt: this.#now + delay + extra, receives: 0, receipt: '' });
    }
  }

  get #now() {
    return this.#scheduler.now().getTime();
  }

  /** A copy of a message is a delivery of its own, which is deleted on its own. */
  #add(message: Message): void {
    this.#messages.set(++this.#count, message);
    this.#scheduler.at(message.visibleAt, () => this.#wake());
  }

  /** Up to so many of the messages that are visible, in any order; they are invisible for a while. */
  receive(most: number): Received[] {
    this.#moveDeadLetters();
    const visible = [...this.#messages].filter(([, { visibleAt }]) => visibleAt <= this.#now);
    return this.#random
      .shuffle(visible)
      .slice(0, most)
      .map(([key, message]) => {
        message.receives++;
        message.receipt = `${key}-${message.receives}`;
        const isShared = this.#options.isShared?.(message.body);
        this.#hide(message, isShared ? this.#random.int(SOON) : this.#options.visibilityTimeout);
        const { id: messageId, receipt: receiptHandle, body, receives: receiveCount } = message;
        return { messageId, receiptHandle, body, receiveCount };
      });
  }

  #hide(message: Message, ms: number): void {
    message.visibleAt = this.#now + ms;
    this.#scheduler.at(message.visibleAt, () => this.#wake());
  }

  #moveDeadLetters(): void {
    const { maxReceiveCount = Infinity, deadLetters } = this.#options;
    for (const [key, { visibleAt, receives, body }] of this.#messages) {
      if (visibleAt > this.#now || receives < maxReceiveCount) continue;
      this.#messages.delete(key);
      deadLetters?.send(body);
    }
  }

  /** Deletes a delivery by its newest receipt; by an older one of the same delivery too, as SQS mostly does. */
  delete(receiptHandle: string): void {
    const [key, receives] = receiptHandle.split('-').map(Number);
    const message = this.#messages.get(key as number);
    if (message && (message.receives === receives || this.#random.chance(0.5)))
      this.#messages.delete(key as number);
  }

  /** Makes a delivery visible again after a while. */
  changeVisibility(receiptHandle: string, ms: number): void {
    const message = this.#messages.get(Number(receiptHandle.split('-')[0]));
    if (message?.receipt === receiptHandle) this.#hide(message, ms);
  }
}
