import { useEffect, useState } from 'react';

const WAIT_SECONDS = 30;

type Props = {
  /** Ends the countdown. */
  offered: boolean;
  /** Returns true if another code was requested. */
  resend: () => Promise<boolean>;
};

/** Requests another code, after a countdown that gives the first one time to arrive. */
export function ResendCode({ offered, resend }: Props) {
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
