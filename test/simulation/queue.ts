import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

const MOST_DELAY = 15 * 60 * 1000;
const SOON = 5_000;

export type Received = { messageId: string; receiptHandle: string; body: string; receiveCount: number };

type Options = {
  name: string;
  visibilityTimeout: number;
  /** How often a message is received before it goes to the dead-letter queue. */
  maxReceiveCount?: number;
  deadLetters?: Queue;
  /** Whether a message is delivered twice, or delivered late. */
  isDoubled?: (body: string) => boolean;
  isLate?: () => boolean;
  /** Whether a received message stays visible to others. Deleting it deletes it for all of them. */
  isShared?: (body: string) => boolean;
};

type Message = { id: string; body: string; visibleAt: number; receives: number; receipt: string };

/** A standard queue of SQS: at-least-once delivery, in any order. */
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

  /** Adds a listener that is called when a message may be visible. */
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

  /** Each copy of a message is a delivery of its own, which is deleted separately. */
  #add(message: Message): void {
    this.#messages.set(++this.#count, message);
    this.#scheduler.at(message.visibleAt, () => this.#wake());
  }

  /** Receives at most this many of the visible messages, in any order. They are hidden for the visibility timeout. */
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

  /** Deletes a delivery by its newest receipt. An older receipt works too, as it mostly does in SQS. */
  delete(receiptHandle: string): void {
    const [key, receives] = receiptHandle.split('-').map(Number);
    const message = this.#messages.get(key as number);
    if (message && (message.receives === receives || this.#random.chance(0.5)))
      this.#messages.delete(key as number);
  }

  /** Makes a delivery visible again after a delay. */
  changeVisibility(receiptHandle: string, ms: number): void {
    const message = this.#messages.get(Number(receiptHandle.split('-')[0]));
    if (message?.receipt === receiptHandle) this.#hide(message, ms);
  }
}
