import { beforeAll, expect, it } from 'vitest';
import { newMailing } from '../support/mailing.ts';
import { proof } from '../support/proof.ts';
import { sendingOn } from '../support/sending-stack.ts';
import { sharedStack, withRaces } from '../support/stack.ts';

const stack = sharedStack();
withRaces();
const { call, advance, fetchJson } = stack;
const { faults } = sendingOn(stack);
const MINUTE = 60;
const DOMAIN = 'letters.ses.example';

let mailing: Awaited<ReturnType<typeof newMailing>>;
/** A list without a key, whose domain is verified at SES. */
beforeAll(async () => {
  mailing = await newMailing(stack, { keyless: true });
  const of = { ...mailing.as, params: { list: mailing.list } };
  const body = {
    ...(await mailing.shown()),
    provider: 'ses',
    domain: DOMAIN,
    sender_name: 'Zoë',
    sender_address: `hello@${DOMAIN}`,
    reply_to: `team@${DOMAIN}`,
  };
  expect((await call('PUT /api/email-lists/{list}', { ...of, body })).status).toBe(200);
  const claimed = await call('POST /api/email-lists/{list}/ses-identity', of);
  for (const { type, name, value } of claimed.body.records) {
    await fetchJson('PUT', '/_local/dns', { body: JSON.stringify({ type, name, values: [value] }) });
  }
  const { body: checked } = await call('POST /api/email-lists/{list}/ses-identity/check', of);
  expect(checked.status).toBe('verified');
});

const messages = async (email: string) => (await fetchJson('GET', `/_local/inbox?to=${email}`)).body.messages;
const report = async (send: string, event: string) => {
  const { status } = await fetchJson('POST', '/_local/provider-events', {
    body: JSON.stringify({ send, event }),
  });
  await fetchJson('POST', '/_local/drain');
  return status;
};
const rowOf = async (email: string) =>
  (await call('GET /api/email-sends', mailing.as)).body.data.find(
    (row: { recipient_email: string }) => row.recipient_email === email,
  );

it('a list sends through SES, with the headers of any email', async () => {
  const ann = await mailing.due();
  expect(await advance(3 * MINUTE)).toMatchObject({ sends: 1 });
  const [mail, ...others] = await messages(ann.email);
  expect(others).toEqual([]);
  const token = (purpose: string) => `${stack.url()}/t/${purpose}/[\\w-]{60,}`;
  expect(mail).toMatchObject({
    provider: 'ses',
    from: `=?UTF-8?B?${Buffer.from('Zoë').toString('base64')}?= <hello@${DOMAIN}>`,
    subject: 'Welcome aboard',
    headers: {
      'List-Unsubscribe': expect.stringMatching(`^<${token('u')}>$`),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Reply-To': `team@${DOMAIN}`,
      'Feedback-ID': expect.stringMatching(`^${mailing.automation}:${mailing.list}:.*:AmazonSES$`),
      'List-Id': expect.stringContaining(`<${mailing.list}.${DOMAIN}>`),
    },
  });
  expect(mail.html).toMatch(new RegExp(`<a href="${token('c')}"[^>]*>Look around</a>`));
  expect(`${mail.html}${mail.text}`).not.toMatch(/{{/);
  expect(await rowOf(ann.email)).toMatchObject({ status: 'sent', provider: 'ses' });
});

proof(
  'what SES says on the bus is stored: a bounce suppresses, a suppression does not, and neither is lost',
  async () => {
    const [ann, ben] = [await mailing.due(), await mailing.due()];
    await advance(3 * MINUTE);
    const sendOf = async (email: string) => String((await messages(email))[0].variables.send);
    expect(await report(await sendOf(ann.email), 'bounced')).toBe(200);
    expect(await report(await sendOf(ben.email), 'suppressed')).toBe(200);
    expect(await rowOf(ann.email)).toMatchObject({
      status: 'sent',
      is_bounced: true,
      bounce_reason: '550 5.1.1 user unknown',
    });
    expect(await rowOf(ben.email)).toMatchObject({ status: 'failed', is_bounced: false });
    const member = async (id: string) =>
      (await call('GET /api/list-members/{listMember}', { ...mailing.as, params: { listMember: id } })).body;
    expect(await member(ann.id)).toMatchObject({ is_subscribed: false });
    expect(await member(ben.id)).toMatchObject({ is_subscribed: true });
  },
);

proof.each([
  ['drop_after_accept', 1, 'unknown'],
  ['500', 0, 'unknown'],
] as const)(
  'where SES has the fault %s, the email is %s times there, and its outcome %s',
  async (provider, count, status) => {
    await faults({ provider });
    const ann = await mailing.due();
    await advance(3 * MINUTE);
    await faults({ provider: 'ok' });
    await advance(3 * MINUTE);
    expect(await messages(ann.email)).toHaveLength(count);
    expect(await rowOf(ann.email)).toMatchObject({ status });
  },
);

proof('a fault of Mailgun alone is none of SES', async () => {
  await faults({ provider: '500', of: 'mailgun' });
  const ann = await mailing.due();
  await advance(3 * MINUTE);
  expect(await rowOf(ann.email)).toMatchObject({ status: 'sent', provider: 'ses' });
});

proof(
  'beyond the quota of the account an email waits without a claim, and is sent when there is more',
  async () => {
    // What the account said before holds for a minute.
    await advance(2 * MINUTE);
    await faults({ account: { max_24_hour_send: 0 } });
    const ann = await mailing.due();
    await advance(3 * MINUTE);
    expect(await messages(ann.email)).toEqual([]);
    expect(await rowOf(ann.email)).toBeUndefined();
    await faults({});
    await advance(20 * MINUTE);
    expect(await messages(ann.email)).toHaveLength(1);
  },
);

proof('where SES refuses connections, the email is sent later, once', async () => {
  await faults({ provider: 'refuse' });
  const ann = await mailing.due();
  await advance(3 * MINUTE);
  expect(await messages(ann.email)).toEqual([]);
  await faults({ provider: 'ok' });
  await advance(20 * MINUTE);
  expect(await messages(ann.email)).toHaveLength(1);
});
