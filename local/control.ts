import * as z from 'zod/mini';
import type { Progress } from './demo/demo.ts';
import { TYPES, type Zone } from './dns/zone.ts';
import { fileServer } from './edge/files.ts';
import type { ViewerRequest } from './edge/viewer.ts';
import type { Answerer } from './front.ts';
import { KILLS, type Killer } from './functions/killer.ts';
import { json as answerJson, type HttpAnswer, problem } from './gateway/response.ts';
import type { Inbox } from './inbox/inbox.ts';
import { EVENTS } from './mailgun/events.ts';
import { FAULTS, FaultsInput, NO_FAULTS, refusesAll } from './mailgun/faults.ts';
import type { Mailgun } from './mailgun/mailgun.ts';
import type { Meter } from './meter.ts';
import { parseJson } from './parse.ts';
import { AccountInput } from './ses/account.ts';
import { SES_KINDS, type SesEventName } from './ses/events.ts';
import type { Ses } from './ses/ses.ts';

export type Controls = {
  now: () => number;
  inbox: Inbox;
  zone: Pick<Zone, 'set'>;
  mailgun: Pick<Mailgun, 'setFaults' | 'report'>;
  ses: Pick<Ses, 'setFaults' | 'setAccount' | 'report'>;
  /** Whether SES refuses connections. */
  setRefusing: (isRefusing: boolean) => Promise<void>;
  meter: Meter;
  killer: Pick<Killer, 'set'>;
  drain: () => Promise<void>;
  demo: () => Progress | undefined;
  /** Moves the clock; returns how many sweeps succeeded and how many emails went out. */
  move: (to: number, outage: boolean) => Promise<{ sweeps: number; sends: number }>;
};

type Control = (request: ViewerRequest) => Promise<HttpAnswer> | HttpAnswer;

const ClockInput = z.object({ now: z.iso.datetime({ offset: true }), outage: z.optional(z.boolean()) });
const InboxQuery = z.object({
  to: z.optional(z.string()),
  limit: z.optional(z.coerce.number().check(z.int(), z.positive())),
});
const NAMES = [...new Set([...EVENTS, ...(Object.keys(SES_KINDS) as SesEventName[])])];
const DnsInput = z.object({
  name: z.string().check(z.regex(/^([\w-]{1,63}\.)+[\w-]{1,63}\.?$/)),
  type: z.enum(TYPES),
  values: z.array(z.string()),
});
const ProviderEvent = z.object({ send: z.string(), event: z.enum(NAMES) });

/** The requests under /_local, for tests and for trying things out. */
export function controls(controls: Controls): Answerer {
  const { meter } = controls;
  const nowText = () => new Date(controls.now()).toISOString();
  const inboxFiles = fileServer(`${import.meta.dirname}/inbox`);

  const calls: Record<string, Control> = {
    'GET /_local/health': () => json(200, { ok: true, now: nowText(), demo: controls.demo() }),
    'GET /_local/inbox': async ({ headers, query }) => {
      if (headers.accept?.includes('text/html'))
        return withCsp(await inboxFiles('/inbox.html', headers, false));
      const asked = InboxQuery.safeParse(Object.fromEntries(new URLSearchParams(query)));
      if (!asked.success) return problem(422, 'Ask for ?to=ann@example.com, ?limit=100, or both.');
      return json(200, { messages: await controls.inbox.messages(asked.data.to, asked.data.limit) });
    },
    'DELETE /_local/inbox': async () => {
      await controls.inbox.clear();
      return empty();
    },
    'GET /_local/clock': () => json(200, { now: nowText() }),
    'PUT /_local/clock': async ({ body }) => {
      const input = ClockInput.safeParse(parseJson(body.toString()));
      if (!input.success)
        return problem(422, 'Send {"now": "2030-01-31T12:00:00Z"}, and "outage": true if wanted.');
      if (controls.demo())
        return problem(409, 'The clock is used to create the demo data. Try again when that is done.');
      const to = Date.parse(input.data.now);
      if (to < controls.now()) return problem(422, `The clock cannot go back: it is ${nowText()}.`);
      const moved = await controls.move(to, input.data.outage ?? false);
      return json(200, { now: nowText(), ...moved });
    },
    'PUT /_local/dns': ({ body }) => {
      const input = DnsInput.safeParse(parseJson(body.toString()));
      if (!input.success)
        return problem(
          422,
          `Send {"name": "…", "type": one of ${TYPES.join(', ')}, "values": ["…"]}; that of MX is "10 mail.example.com".`,
        );
      const { name, type, values } = input.data;
      controls.zone.set(name, type, values);
      return json(200, input.data);
    },
    'POST /_local/drain': async () => {
      await controls.drain();
      return json(200, { now: nowText() });
    },
    'PUT /_local/faults': async ({ body }) => {
      const input = FaultsInput.safeParse(parseJson(body.toString()));
      if (!input.success)
        return problem(
          422,
          `Send {"provider": one of ${FAULTS.join(', ')}, "rate": from 0 to 1, "kill": one of ${KILLS.join(', ')}, or null}.`,
        );
      const { provider, rate, kill, of, account = AccountInput.parse({}) } = input.data;
      const faultsOf = (name: typeof of) =>
        of === undefined || of === name ? ({ provider, rate } as const) : NO_FAULTS;
      await controls.mailgun.setFaults(faultsOf('mailgun'));
      controls.ses.setFaults(faultsOf('ses'));
      controls.ses.setAccount(account);
      await controls.setRefusing(refusesAll(faultsOf('ses')));
      controls.killer.set(kill);
      return json(200, { ...input.data });
    },
    'POST /_local/provider-events': async ({ body }) => {
      const input = ProviderEvent.safeParse(parseJson(body.toString()));
      if (!input.success) return problem(422, `Send {"send": "…", "event": one of ${NAMES.join(', ')}}.`);
      const { send, event } = input.data;
      const report =
        (isOf(EVENTS, event) && (await controls.mailgun.report(send, event))) ||
        (isOf(Object.keys(SES_KINDS) as SesEventName[], event) && (await controls.ses.report(send, event)));
      return report
        ? json(200, report)
        : problem(404, 'No email was accepted with this user variable or tag "send".');
    },
    'GET /_local/meter': () => json(200, meter.read()),
    'DELETE /_local/meter': () => {
      meter.reset();
      return empty();
    },
  };

  return async request => {
    if (!request.path.startsWith('/_local/')) return undefined;
    // Prevents DNS rebinding: with a host name of its own that resolves to this machine, another site could read the inbox.
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) {
      return problem(403, 'Use 127.0.0.1 or localhost for the calls under /_local.');
    }
    const call = calls[`${request.method} ${request.path}`];
    if (call) return call(request);
    const name = request.path.slice('/_local/'.length);
    if (request.method === 'GET' && /^inbox\.(css|js)$/.test(name)) {
      return inboxFiles(`/${name}`, request.headers, false);
    }
    return problem(404, 'There is no such control call.');
  };
}

const json = (status: number, body: object) => answerJson(status, body, { 'cache-control': 'no-store' });

const isOf = <T extends string>(names: readonly T[], name: string): name is T =>
  (names as readonly string[]).includes(name);

const empty = (): HttpAnswer => ({ status: 204, headers: {}, body: Buffer.alloc(0) });

// Emails are shown in frames that inherit this policy: styles and images may load, scripts may not.
const INBOX_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: https: http:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'";

const withCsp = (answer: HttpAnswer): HttpAnswer => ({
  ...answer,
  headers: { ...answer.headers, 'content-security-policy': INBOX_CSP, 'x-content-type-options': 'nosniff' },
});
