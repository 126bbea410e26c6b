import { type ClipboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { PRODUCT } from '#shared/brand.ts';
import {
  CODE_LENGTH,
  CODE_USED_UP,
  DOMAIN_NOT_ALLOWED,
  MAILED_TOO_OFTEN,
  MAILED_TOO_OFTEN_TODAY,
} from '#shared/login-code.ts';
import { Wordmark } from '#web/components/wordmark.tsx';
import { api } from '#web/lib/api.ts';
import { EXPIRED, paths } from '#web/lib/paths.ts';
import { Problem } from '#web/lib/problem.ts';
import { useAction } from '#web/lib/use-action.ts';
import { ownZone } from '#web/lib/zones.ts';

/** Two steps: the email address, then the code, which is sent to it or handed out by the operator. */
export function Login({ onSignedIn }: { onSignedIn: (token: string) => void }) {
  const [requested, setRequested] = useState<CodeRequest & { email: string }>();
  const [typed, setTyped] = useState('');
  // Before hydration, submitting the form would put the email address into the URL.
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);

  return (
    <div className="login">
      <header>
        <a href={paths.home()}>
          <Wordmark />
        </a>
      </header>
      <main>
        <p className="badge">Alpha</p>
        <h1>Sign in to your account</h1>
        <p className="note">Limited access during alpha testing phase</p>
        {isHydrated && location.hash === EXPIRED && (
          <p className="note" role="status">
            Your session has ended. Sign in again to go on where you were.
          </p>
        )}
        {requested === undefined ? (
          <EmailStep
            isHydrated={isHydrated}
            initial={typed}
            onSent={(email, request) => {
              setTyped(email);
              setRequested({ email, ...request });
            }}
          />
        ) : (
          <CodeStep {...requested} onSignedIn={onSignedIn} onOtherEmail={() => setRequested(undefined)} />
        )}
      </main>
      <footer className="foot">
        <a href={paths.terms()} target="_blank" rel="noreferrer">
          Terms and Conditions
        </a>
        <a href={paths.privacy()} target="_blank" rel="noreferrer">
          Privacy Policy
        </a>
      </footer>
    </div>
  );
}

type EmailProps = {
  isHydrated: boolean;
  initial: string;
  onSent: (email: string, request: CodeRequest) => void;
};

function EmailStep({ isHydrated, initial, onSent }: EmailProps) {
  const field = useRef<HTMLInputElement>(null);
  const { run, isRunning, error } = useAction(async (email: string) =>
    onSent(email, await requestCode(email)),
  );

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const email = field.current?.value.trim() ?? '';
    if (!(await run(email))) field.current?.focus();
  }

  return (
    <form onSubmit={submit} aria-busy={isRunning}>
      <label htmlFor="email">Email</label>
      <input
        ref={field}
        id="email"
        name="email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the page has this one field, and is opened to fill it in
        autoFocus
        required
        defaultValue={initial}
        aria-invalid={error !== undefined}
        aria-describedby="email-error"
      />
      <p id="email-error" className="error" role="alert">
        {error && <Refusal text={error} />}
      </p>
      <button type="submit" className="primary" disabled={isRunning || !isHydrated}>
        {isRunning ? 'Sending...' : 'Send Login Code'}
      </button>
    </form>
  );
}

const CONTACT = 'Contact us';

/** The refusal. A mention of whom to ask is rendered as a link. */
function Refusal({ text }: { text: string }) {
  const [before = '', ...after] = text.split(CONTACT);
  if (after.length === 0) return text;
  return (
    <>
      {before}
      <a href={contactLink(location.hostname)}>{CONTACT}</a>
      {after.join(CONTACT)}
    </>
  );
}

type CodeProps = CodeRequest & {
  email: string;
  onSignedIn: (token: string) => void;
  onOtherEmail: () => void;
};

const SENT = 'We sent a code to';
const SENT_OFTEN = 'we have sent several to';
const HANDED_OUT = 'No emails are sent from here. Enter the code that you were given for';

function CodeStep({ email, isMailed, refusal, onSignedIn, onOtherEmail }: CodeProps) {
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const [isDone, setDone] = useState(false);
  const verification = useAction(async (entered: string) => {
    request.clearError();
    const { token } = await verify(email, entered);
    onSignedIn(token);
    setDone(true);
  });
  const request = useAction(async () => {
    const { refusal } = await requestCode(email);
    if (refusal) throw new Problem(refusal);
  });
  const error = request.error ?? verification.error;
  const usedUp = verification.error === CODE_USED_UP;
  // Stays busy until the next document is loaded.
  const isBusy = verification.isRunning || isDone;

  function paste(event: ClipboardEvent) {
    // Otherwise maxLength would cut off a pasted code that contains spaces.
    event.preventDefault();
    enter(event.clipboardData.getData('text'));
  }

  function enter(typed: string) {
    const entered = readCode(typed);
    setCode(entered);
    // After too many attempts, this code cannot be used any more.
    if (usedUp) return;
    verification.clearError();
    request.clearError();
    if (entered.length === CODE_LENGTH && !isBusy) void check(entered);
  }

  async function resend() {
    if (!(await request.run())) return false;
    verification.clearError();
    setCode('');
    field.current?.focus();
    return true;
  }

  async function check(entered: string): Promise<void> {
    if (await verification.run(entered)) return;
    // It is being corrected.
    const typed = readCode(field.current?.value ?? '');
    if (typed !== entered) return typed.length === CODE_LENGTH ? check(typed) : undefined;
    field.current?.focus();
    field.current?.select();
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!isBusy) void check(code);
  }

  return (
    <form onSubmit={submit} aria-busy={isBusy}>
      <p className="note">
        {refusal ? `${refusal}: ${SENT_OFTEN}` : isMailed ? SENT : HANDED_OUT} <strong>{email}</strong>. It
        works once, within 10 minutes.
      </p>
      <label htmlFor="code">Login code</label>
      <input
        ref={field}
        id="code"
        name="code"
        className="code"
        type="text"
        inputMode="text"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        placeholder="Enter 6-digit code"
        maxLength={CODE_LENGTH}
        // biome-ignore lint/a11y/noAutofocus: the step replaces the one that had the focus
        autoFocus
        required
        value={code}
        onPaste={paste}
        onChange={event => enter(event.target.value)}
        aria-invalid={error !== undefined}
        aria-describedby="code-error"
      />
      <p id="code-error" className="error" role="alert">
        {error}
      </p>
      <button type="submit" className="primary" disabled={isBusy || usedUp || code.length < CODE_LENGTH}>
        {isBusy ? 'Verifying...' : 'Verify Code'}
      </button>
      <div className="ways">
        {isMailed && <ResendCode offered={usedUp} resend={resend} />}
        <button type="button" onClick={onOtherEmail}>
          Use a different email
        </button>
      </div>
    </form>
  );
}

/** Verifies a code. Fails with the server's message about the code, or with a general message. */
const verify = (email: string, code: string) =>
  api('POST /api/login/verify', { body: { email, code, time_zone: ownZone() } }).catch((problem: unknown) => {
    throw (
      (problem instanceof Problem && problem.fields.code?.[0] && new Problem(problem.fields.code[0])) ||
      problem
    );
  });

const WAIT_SECONDS = 30;

type ResendProps = {
  /** Ends the countdown. */
  offered: boolean;
  resend: () => Promise<boolean>;
};

/** Requests another code, after a countdown that gives the first one time to arrive. */
function ResendCode({ offered, resend }: ResendProps) {
  const [wait, setWait] = useState(WAIT_SECONDS);
  const [notice, setNotice] = useState('');

  const waiting = wait > 0;
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => setWait(left => Math.max(0, left - 1)), 1000);
    return () => clearInterval(timer);
  }, [waiting]);

  useEffect(() => {
    if (offered) setWait(0);
  }, [offered]);

  async function send() {
    setWait(WAIT_SECONDS);
    setNotice('');
    if (await resend()) setNotice('Check your inbox: the newest code is the one that works.');
    else setWait(0);
  }

  return (
    <>
      <button type="button" onClick={send} disabled={waiting}>
        {waiting ? `Resend code in ${wait} s` : 'Resend code'}
      </button>
      <p role="status">{notice}</p>
    </>
  );
}

const ALPHA_ONLY =
  'Alpha access only: Currently, only whitelisted addresses are allowed. Contact us to request alpha access.';
const NOT_SENT = 'Failed to send login code. Please try again.';

type CodeRequest = {
  /** False if it is not sent by email, but handed out by the operator. */
  isMailed: boolean;
  /** Why no other code is sent. */
  refusal?: string | undefined;
};

async function requestCode(email: string): Promise<CodeRequest> {
  try {
    const { mailed, message } = await api('POST /api/login/request', { body: { email } });
    const refusals: string[] = [MAILED_TOO_OFTEN, MAILED_TOO_OFTEN_TODAY];
    return { isMailed: mailed, refusal: refusals.find(refusal => refusal === message) };
  } catch (problem) {
    const isRefused = problem instanceof Problem && problem.message.includes(DOMAIN_NOT_ALLOWED);
    throw new Problem(isRefused ? ALPHA_ONLY : NOT_SENT);
  }
}

/** The code in a typed or pasted text: without spaces, in upper case. */
export const readCode = (typed: string) => typed.replace(/\s/g, '').toUpperCase().slice(0, CODE_LENGTH);

/**
 * The address for requesting access, at the domain of the stage. `web/public/handover.js` has the same rule for the public
 * home page.
 */
export function contactLink(hostname: string): string {
  // The local stack has an IP address as its host, at which there can be no mailbox.
  const domain = /^[\d.]+$/.test(hostname) ? 'localhost' : hostname;
  return `mailto:access@${domain}?subject=${encodeURIComponent(`Access to ${PRODUCT}`)}`;
}
