import { useEffect, useState } from 'react';
import { Wordmark } from '../../components/wordmark.tsx';
import { paths } from '../../lib/paths.ts';
import { CodeStep } from './code-step.tsx';
import { EmailStep } from './email-step.tsx';

type Props = { onSignedIn: (token: string) => void };

/** Two steps: an address, then the code that was mailed to it. */
export function Login({ onSignedIn }: Props) {
  const [email, setEmail] = useState<string>();
  const [typed, setTyped] = useState('');
  // Until the page can answer, the browser would put the address into its own address bar.
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);

  return (
    <div className="login">
      <header className="login-brand">
        <a href={paths.home()}>
          <Wordmark />
        </a>
      </header>
      <main className="login-card">
        <p className="login-badge">Alpha</p>
        <h1>Sign in to your account</h1>
        <p className="login-note">Limited access during alpha testing phase</p>
        {email === undefined ? (
          <EmailStep
            ready={ready}
            initial={typed}
            onSent={address => {
              setTyped(address);
              setEmail(address);
            }}
          />
        ) : (
          <CodeStep email={email} onSignedIn={onSignedIn} onOtherEmail={() => setEmail(undefined)} />
        )}
      </main>
      <footer className="login-foot">
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
