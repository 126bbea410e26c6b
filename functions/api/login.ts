import * as login from '#core/account/login.ts';
import * as session from '#core/account/session.ts';
import { isInvited } from '#core/organization/invitation.store.ts';
import { prepareAccount } from '#core/organization/organization.ts';
import { loginRoutes } from '#shared/login.ts';
import { serveUser } from '../http/serve.ts';
import { mailer } from '../platform/mailer.ts';
import { table } from '../platform/table.ts';

const MAILED = 'If this address can sign in, a code is on its way to it.';
const NOT_MAILED = 'No emails are sent from here. Enter the code that you got from whoever runs this.';

export const handler = serveUser(loginRoutes, {
  'POST /api/login/request': async ({ body, now, network }) => {
    const needs = { table, mailer, now, isInvited };
    const { mailed, refusal } = await login.requestCode(needs, body.email, network());
    return { mailed, message: refusal ?? (mailed ? MAILED : NOT_MAILED) };
  },
  'POST /api/login/verify': ({ body, now, userAgent, network }) =>
    login.signIn({ table, now, prepareAccount }, { ...body, userAgent, network: network() }),
  'POST /api/logout': ({ session: current }) => session.end({ table }, current),
});
