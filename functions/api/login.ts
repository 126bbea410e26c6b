import { loginRoutes } from '../../shared/login.ts';
import * as login from '../core/account/login/login.ts';
import * as session from '../core/account/session/session.ts';
import { serve } from '../http/serve.ts';
import { mailer } from '../platform/mailer.ts';
import { table } from '../platform/table.ts';

export const handler = serve(loginRoutes, {
  'POST /api/login/request': async ({ body, now }) => {
    await login.requestCode({ table, mailer, now }, body.email);
    return { message: 'If this address can sign in, a code is on its way to it.' };
  },
  'POST /api/login/verify': ({ body, now, userAgent }) =>
    login.signIn({ table, now }, { ...body, userAgent }),
  'POST /api/logout': ({ session: current }) => session.end({ table }, current),
});
