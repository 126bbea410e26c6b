import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { newMailing } from '../support/mailing.ts';
import { proof } from '../support/proof.ts';
import { eventAbout, signed } from '../support/provider-event.ts';
import { sharedStack, withRaces } from '../support/stack.ts';

const stack = sharedStack();
withRaces();
const { call, advance, fetchJson } = stack;
const MINUTE = 60;
const REASON = '<script>alert("5.1.1")</script>';

let mailing: Awaited<ReturnType<typeof newMailing>>;
let stageKey: string;
beforeAll(async () => {
  mailing = await newMailing(stack);
  const authorization = `Basic ${Buffer.from('api:key-1').toString('base64')}`;
  const url = `${stack.env().MAILGUN_US_URL}/v5/accounts/http_signing_key`;
  const answer = await fetch(url, { headers: { authorization } });
  stageKey = ((await answer.json()) as { http_signing_key: string }).http_signing_key;
  stack.mustNotBeLogged(stageKey);
});

/** Members with an email each, and how the provider names it. */
async function mailed(count = 1) {
  const people = [];
  for (let n = 0; n < count; n++) people.push(await mailing.due());
  await advance(2 * MINUTE);
  const named = people.map(async person => {
    const { body } = await fetchJson('GET', `/_local/inbox?to=${person.email}`);
    return { ...person, send: String(body.messages[0].variables.send) };
  });
  return Promise.all(named);
}
const one = async () => (await mailed())[0] as { id: string; email: string; send: string };
const now = async () => new Date((await fetchJson('GET', '/_local/clock')).body.now);

const report = async (send: string, event: string) =>
  (await fetchJson('POST', '/_local/provider-events', { body: JSON.stringify({ send, event }) })).body;
const post = async (body: unknown, { list = mailing.list, type = 'application/json' } = {}) => {
  const { provider_events_url: url } = await mailing.shown();
  const init = {
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
  return (await fetchJson('POST', new URL(url).pathname.replace(mailing.list, list), init)).status;
};
const own = async (data: object, key = stageKey) => ({
  signature: signed(key, await now()),
  'event-data': data,
});
const member = async (id: string) =>
  (await call('GET /api/list-members/{listMember}', { ...mailing.as, params: { listMember: id } })).body;
const actions = async (id: string) =>
  (await call('GET /api/list-member-actions', { ...mailing.as, query: { list_member_id: id } })).body;

describe('An event of the provider', () => {
  it('suppresses who has complained and whose address does not exist, out of the box', async () => {
    const [ann, ben] = await mailed(2);
    if (!ann || !ben) throw new Error('There are two');
    const url = (await mailing.shown()).provider_events_url;
    expect((await report(ann.send, 'bounced')).deliveries).toEqual([{ url, status: 200 }]);
    expect((await report(ben.send, 'complained')).deliveries).toEqual([{ url, status: 200 }]);
    expect(await member(ann.id)).toMatchObject({ is_subscribed: false, suppression: 'bounce' });
    expect(await member(ben.id)).toMatchObject({ is_subscribed: false, suppression: 'complaint' });
    const again = await call('PUT /api/list-members/{listMember}', {
      ...mailing.as,
      params: { listMember: ben.id },
      body: { is_subscribed: true },
    });
    expect(again).toMatchObject({ status: 422, body: { errors: { is_subscribed: [expect.any(String)] } } });
    const { body } = await call('GET /api/email-sends', mailing.as);
    const rows = body.data.filter(({ recipient_email }: { recipient_email: string }) =>
      [ann.email, ben.email].includes(recipient_email),
    );
    expect(rows).toMatchObject([
      { status: 'sent', is_bounced: expect.any(Boolean) },
      { status: 'sent', is_complained: expect.any(Boolean) },
    ]);
  });

  proof(
    'may be delayed, delivered or given up without that, and ends a subscription where it says so',
    async () => {
      const { id, send } = await one();
      for (const event of ['delayed', 'delivered', 'bounced_soft']) {
        expect((await report(send, event)).deliveries).toMatchObject([{ status: 200 }]);
        expect(await member(id)).toMatchObject({ is_subscribed: true, suppression: null });
      }
      await report(send, 'unsubscribed');
      expect(await member(id)).toMatchObject({ is_subscribed: false, suppression: null });
      expect(await actions(id)).toContainEqual(
        expect.objectContaining({
          type: 'unsubscribe',
          metadata: expect.objectContaining({ source: 'provider' }),
        }),
      );
    },
  );

  proof('is refused where it is forged, of another list, or older than five minutes', async () => {
    const { id, send } = await one();
    const complaint = eventAbout(send, 'complained');
    const { payload } = await report(send, 'delivered');
    expect(await post(await own(complaint, 'a guess'))).toBe(406);
    expect(await post({ 'event-data': complaint })).toBe(406);
    expect(await post(await own(complaint), { list: 'aaaaaaaaaaaa' })).toBe(406);
    const stolen = { ...payload, 'event-data': complaint };
    await advance(6 * MINUTE);
    expect(await post(stolen)).toBe(406);
    const other = await newMailing(stack, { person: mailing.owner });
    expect(await post(await own(complaint), { list: other.list })).toBe(200);
    expect(await member(id)).toMatchObject({ is_subscribed: true, suppression: null });
  });

  proof('is refused where it is too large, no JSON or of another type', async () => {
    const { send } = await one();
    const large = eventAbout(send, 'complained', { more: 'x'.repeat(256 * 1024) });
    expect(await post(await own(large))).toBe(413);
    expect(await post(await own(large), { type: 'text/plain' })).toBe(413);
    expect(await post('signature=1', { type: 'application/x-www-form-urlencoded' })).toBe(415);
    for (const body of ['', '{', 'null', '[]', '"text"']) expect(await post(body)).toBe(406);
  });

  proof('counts once in a flood of duplicates, and what it says stays text', async () => {
    const { id, send } = await one();
    const data = eventAbout(send, 'hard', { 'delivery-status': { code: 550, message: REASON } });
    const bodies = await Promise.all(Array.from({ length: 40 }, () => own(data)));
    const statuses = await Promise.all(bodies.map(body => post(body)));
    expect(statuses.filter(status => status === 200).length).toBeGreaterThan(0);
    expect(await post(await own(data))).toBe(200);
    await fetchJson('POST', '/_local/drain');
    const bounces = (await actions(id)).filter(({ type }: { type: string }) => type === 'bounce');
    expect(bounces).toHaveLength(1);
    expect(JSON.stringify(bounces)).toContain(JSON.stringify(`550 ${REASON}`).slice(1, -1));
  });

  proof('is verified with the key of its list where that has one of its own', async () => {
    const { id, send } = await one();
    const key = 'key-of-the-list';
    stack.mustNotBeLogged(key);
    const setKey = (mailgun_webhook_signing_key: string | null) =>
      call('PUT /api/email-lists/{list}/mailgun-key', {
        ...mailing.as,
        params: { list: mailing.list },
        body: { mailgun_webhook_signing_key },
      });
    await setKey(key);
    expect(await post(await own(eventAbout(send, 'complained')))).toBe(406);
    const { payload, deliveries } = await report(send, 'complained');
    expect(deliveries).toMatchObject([{ status: 200 }]);
    const { timestamp, token, signature } = payload.signature;
    expect(signature).toBe(
      createHmac('sha256', key)
        .update(timestamp + token)
        .digest('hex'),
    );
    expect(await member(id)).toMatchObject({ suppression: 'complaint' });
    await setKey(null);
  });
});
