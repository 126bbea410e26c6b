import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { CODE_USED_UP, MAILED_TOO_OFTEN, MAILED_TOO_OFTEN_TODAY } from '#shared/login-code.ts';
import { Login } from '#web/features/login/login.tsx';
import { fakeApi, held, refusal, unreachable } from '../support/components/api.ts';
import { user } from '../support/components/examples.ts';
import { button, field, isGone, keys, press, says, warns } from '../support/components/page.ts';
import { render } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const WRONG = refusal(422, 'Invalid', { code: ['Invalid code. Please try again.'] });

const SENT = { message: 'Sent', mailed: true };

/** As far as the field for the code. */
async function requestCode(verify: Response | (() => Promise<Response>), requested = SENT) {
  const api = fakeApi({ 'POST /api/login/request': requested, 'POST /api/login/verify': verify });
  const onSignedIn = vi.fn();
  render(<Login onSignedIn={onSignedIn} />);
  await field('Email').fill(user.email);
  await press('Send Login Code');
  await expect.element(field('Login code')).toHaveFocus();
  return { api, onSignedIn };
}

it('a code that could not be sent can be asked for again', async () => {
  const api = fakeApi({ 'POST /api/login/request': unreachable });
  render(<Login onSignedIn={() => undefined} />);
  await field('Email').fill(user.email);
  await press('Send Login Code');
  await warns('Failed to send login code. Please try again.');
  api.answer({ 'POST /api/login/request': SENT });
  await press('Send Login Code');
  await expect.element(field('Login code')).toHaveFocus();
});

proof('a code that takes long to be sent says so, and is sent once', async () => {
  const { answer, release } = held<typeof SENT>();
  const api = fakeApi({ 'POST /api/login/request': answer });
  render(<Login onSignedIn={() => undefined} />);
  await field('Email').fill(user.email);
  await press('Send Login Code');
  await button('Sending...').click({ force: true });
  release(SENT);
  await expect.element(field('Login code')).toBeVisible();
  expect(api.changes()).toHaveLength(1);
});

it('the sixth code within 15 minutes is not sent: the last one can be entered', async () => {
  const reply = Response.json({ token: 'secret', user });
  const { onSignedIn } = await requestCode(reply, { ...SENT, message: MAILED_TOO_OFTEN });
  await says(/Use the last code, or wait 15 minutes/);
  await keys('abc234');
  await expect.poll(() => onSignedIn.mock.lastCall).toEqual(['secret']);
});

proof('a code that is asked for again says why it is not sent', async () => {
  const { api } = await requestCode(refusal(422, 'Invalid', { code: [CODE_USED_UP] }));
  await keys('abc234');
  api.answer({ 'POST /api/login/request': { ...SENT, message: MAILED_TOO_OFTEN_TODAY } });
  await press('Resend code');
  await says(MAILED_TOO_OFTEN_TODAY);
});

it('the sixth character of a code signs in, once', async () => {
  const { answer, release } = held<Response>();
  const { api, onSignedIn } = await requestCode(answer);
  await keys('abc23');
  expect(api.changes()).toHaveLength(1);
  await keys('4');
  await expect.element(button('Verifying...')).toBeVisible();
  await keys('{Enter}');
  release(Response.json({ token: 'secret', user }));
  await expect.poll(() => onSignedIn.mock.lastCall).toEqual(['secret']);
  expect(
    api
      .changes()
      .slice(1)
      .map(({ body }) => body),
  ).toEqual([{ email: user.email, code: 'ABC234', time_zone: 'UTC' }]);
});

it('where no emails are sent, a code that was handed out signs in, and none is offered to be sent', async () => {
  const reply = Response.json({ token: 'secret', user });
  const { onSignedIn } = await requestCode(reply, { ...SENT, mailed: false });
  await says(/No emails are sent from here/);
  await isGone(page.getByRole('button', { name: /Resend code/ }));
  await keys('abc234');
  await expect.poll(() => onSignedIn.mock.lastCall).toEqual(['secret']);
});

it('the message of a wrong code stays until the next one is typed', async () => {
  await requestCode(WRONG);
  await keys('abc234');
  await says('Invalid code. Please try again.');
  await keys('x');
  await isGone(page.getByText('Invalid code. Please try again.'));
  await expect.element(field('Login code')).toHaveValue('X');
});

it('a code that is corrected while the wrong one is being verified is verified after it', async () => {
  const wrong = held<Response>();
  const { api, onSignedIn } = await requestCode(wrong.answer);
  await keys('abc234');
  await expect.element(button('Verifying...')).toBeVisible();
  await keys('{Backspace}5');
  await expect.element(field('Login code')).toHaveValue('ABC235');
  api.answer({ 'POST /api/login/verify': Response.json({ token: 'secret', user }) });
  wrong.release(WRONG);
  await expect.poll(() => onSignedIn.mock.lastCall).toEqual(['secret']);
  expect(api.changes().map(({ body }) => body)).toMatchObject([{}, { code: 'ABC234' }, { code: 'ABC235' }]);
});
