import type { ReactNode } from 'react';
import { PRODUCT } from '#shared/brand.ts';
import { Wordmark } from '#web/components/wordmark.tsx';
import { paths } from '#web/lib/paths.ts';
import { ClaimFigure, CombinationsFigure, LimitsFigure, SimulationFigure } from './figures.tsx';
import { WeekFigure } from './week-figure.tsx';

type Feature = { title: string; text: string; figure: ReactNode };

const promises: Feature[] = [
  {
    title: 'Limits that are exact',
    text: 'Set how many emails one person may get in 5 minutes, an hour, a day and a week. The windows roll: they are counted back from the minute in which each send is due, or goes if it is late, across all your automations. At a limit an email is skipped, and you can read which limit it was.',
    figure: <LimitsFigure />,
  },
  {
    title: 'Never the same email twice',
    text: 'Each send is claimed before it is handed over. If the provider’s answer is lost, the send is shown as unknown and not repeated automatically. A retry, a crash or an outage cannot send an email twice.',
    figure: <ClaimFigure />,
  },
  {
    title: 'A simulation that cannot disagree',
    text: 'Before you switch an automation on, see who would be mailed in the next 24 hours, hour by hour. The simulation and the sender use the same function.',
    figure: <SimulationFigure />,
  },
  {
    title: 'Results for each combination',
    text: 'Write subject lines, bodies and calls to action separately, or whole templates. Opens, clicks, unsubscribes and the value they bring are counted for each combination that was sent. Content stays as it was sent, so that old reports stay true.',
    figure: <CombinationsFigure />,
  },
];

/** The public home page: what the product does. */
export function Home() {
  return (
    <div className="home">
      <header className="bar">
        <Wordmark />
        <a className="primary" href={paths.login()}>
          Sign in
        </a>
      </header>
      <main>
        <section className="hero">
          <p className="badge">Private alpha, invite-only</p>
          <h1>Email automations that keep&nbsp;count.</h1>
          <p className="lead">
            {PRODUCT} emails every contact on their own schedule, starting at a date you store with them. It
            keeps to the limits you set, to the minute, and when it skips an email, it shows why.
          </p>
        </section>
        <WeekFigure />
        <div className="promises">
          {promises.map(({ title, text, figure }) => (
            <section key={title} className="promise">
              <div>
                <h2>{title}</h2>
                <p>{text}</p>
              </div>
              {figure}
            </section>
          ))}
        </div>
        <section className="invitation yellow">
          <h2>By invitation, for now</h2>
          <p>
            {PRODUCT} is in private alpha and invite-only. Organizations that use it can invite the people
            they work with. If your address has access, sign in with it: we mail you a code, there is no
            password. If it has none,{' '}
            <a data-contact="" href={paths.login()}>
              contact us
            </a>{' '}
            to request alpha access.
          </p>
          <a className="primary" href={paths.login()}>
            Sign in
          </a>
        </section>
      </main>
      <footer className="foot">
        <a href={paths.terms()}>Terms and Conditions</a>
        <a href={paths.privacy()}>Privacy Policy</a>
      </footer>
    </div>
  );
}
