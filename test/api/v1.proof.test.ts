import { expect, it } from 'vitest';
import { SCOPE_NAMES } from '#shared/permissions.ts';
import type { BodyInput } from '#shared/routes.ts';
import type { ProgramKey } from '../support/client.ts';
import { template } from '../support/content.ts';
import { newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();

it('each function answers programs, once where they repeat a call, with the rights to what that takes', async () => {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  const params = { list, emailSend: `${'0'.repeat(22)}-1` };
  const body: BodyInput<'POST /api/tokens'> = { name: 'all', scopes: SCOPE_NAMES };
  const { token } = (await stack.call('POST /api/tokens', { token: owner.token, body })).body;
  stack.mustNotBeLogged(token);
  const hours = { quiet_hours: [{ from: '22:00', until: '06:00' }] };
  const calls: [ProgramKey, number, unknown?][] = [
    ['GET /api/v1/me', 200],
    ['PUT /api/v1/sending-hours', 200, hours],
    ['PUT /api/v1/email-lists/{list}', 200, { name: 'Readers' }],
    [
      'POST /api/v1/email-lists/{list}/unsubscribe-webhooks',
      201,
      { name: 'CRM', url: 'https://example.com/hook' },
    ],
    ['POST /api/v1/list-members', 201, { email_list_id: list, email: 'ada@example.com' }],
    [
      'POST /api/v1/email-lists/{list}/imports/dry-run',
      200,
      {
        columns: [{ position: 0, name: 'A', to: 'email' }],
        from: 1,
        mode: 'update',
        as: 'subscribed',
        rows: [['grace@example.com']],
      },
    ],
    ['POST /api/v1/email-templates', 201, template()],
    ['POST /api/v1/automations', 201, { name: 'welcome', email_list_ids: [list] }],
    ['GET /api/v1/email-sends', 200],
    ['POST /api/v1/email-sends/{emailSend}/resend', 404],
    ['GET /api/v1/reporting/automations', 200],
    ['PUT /api/v1/reporting/automations' as ProgramKey, 405],
  ];
  for (const [key, status, sent] of calls) {
    const headers = { 'idempotency-key': key.replaceAll(' ', '-') };
    const call = () => stack.call(key, { token, params, headers, ...(sent !== undefined && { body: sent }) });
    const [first, again] = [await call(), await call()];
    expect([key, first.status, first.text]).toEqual([key, status, again.text]);
    const isRepeated = again.headers.get('idempotent-replayed') === 'true';
    expect([key, isRepeated]).toEqual([key, sent !== undefined]);
  }
});
