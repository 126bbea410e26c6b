import type { ReactNode } from 'react';
import { PRODUCT } from '#shared/brand.ts';
import { Wordmark } from '#web/components/wordmark.tsx';
import { paths } from '#web/lib/paths.ts';

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

type Mail = 'sent' | 'skipped' | undefined;
type Automation = { name: string; schedule: string; days: Mail[] };

const DAYS = ['Day 0', '1', '2', '3', '4', '5', '6'];

// On day 6 both automations are due in the same minute. The one whose last email is older goes first.
const automations: Automation[] = [
  {
    name: 'Onboarding',
    schedule: 'starts immediately, runs every 3 days',
    days: ['sent', undefined, undefined, 'sent', undefined, undefined, 'sent'],
  },
  {
    name: 'Tips',
    schedule: 'starts after 4 days, runs every day',
    days: [undefined, undefined, undefined, undefined, 'sent', 'sent', 'skipped'],
  },
];

function WeekFigure() {
  return (
    <figure className="week yellow">
      <figcaption>
        <strong>One contact, one week</strong>
        <span>Example: the limit is 1 email in 24 hours</span>
      </figcaption>
      <div className="week-row week-days" aria-hidden="true">
        {DAYS.map(day => (
          <span key={day}>{day}</span>
        ))}
      </div>
      {automations.map(({ name, schedule, days }) => (
        <div key={name} className="week-row">
          <p>
            <strong>{name}</strong> {schedule}
          </p>
          {days.map((mail, day) => (
            <span key={DAYS[day]} className="week-day" aria-hidden="true">
              {mail && <i data-mail={mail} />}
            </span>
          ))}
        </div>
      ))}
      <div className="week-facts">
        <p>
          <i className="week-flag" aria-hidden="true" />
          <span>
            Day 0 is a date you store with the contact, such as <code>trial_started</code>
          </span>
        </p>
        <p>
          <i data-mail="sent" aria-hidden="true" />
          <span>Sent, at the same time of day as that date</span>
        </p>
        <p>
          <i data-mail="skipped" aria-hidden="true" />
          <span>Skipped on day 6: both were due at once, and the limit was reached</span>
        </p>
      </div>
    </figure>
  );
}

// The default limits of an organization.
const LIMITS = [
  { most: 1, window: '5 minutes' },
  { most: 2, window: '1 hour' },
  { most: 3, window: '24 hours' },
  { most: 7, window: '7 days' },
];

function LimitsFigure() {
  return (
    <figure className="card limits">
      <figcaption>Default limits per recipient</figcaption>
      <ul>
        {LIMITS.map(({ most, window }) => (
          <li key={window}>
            <span className="marks" aria-hidden="true">
              {Array.from({ length: most }, (_, mark) => `${window} ${mark}`).map(mark => (
                <i key={mark} />
              ))}
            </span>
            <strong>{most}</strong> in {window}
          </li>
        ))}
      </ul>
    </figure>
  );
}

function ClaimFigure() {
  return (
    <figure className="card claim">
      <figcaption>How an email is sent</figcaption>
      <ol>
        <li>
          <strong>Claimed</strong>
          <span>One claim for this person, this automation, this day. A second one is impossible.</span>
        </li>
        <li>
          <strong>Handed over</strong>
          <span>To your mail provider, with your own sending key.</span>
        </li>
        <li>
          <strong>Sent</strong>
          <span>Confirmed by the provider.</span>
        </li>
        <li>
          <strong>or Unknown</strong>
          <span>No clear answer: shown to you, and never sent again automatically.</span>
        </li>
      </ol>
    </figure>
  );
}

// Made-up values: the example shows no numbers.
const HOURS = [1, 1, 0, 0, 2, 3, 5, 9, 12, 10, 7, 6, 6, 8, 9, 7, 5, 4, 4, 3, 2, 2, 1, 1];
const MOST_EMAILS = Math.max(...HOURS);

function SimulationFigure() {
  const bars = HOURS.map((emails, hour) => ({ hour, height: `${(emails / MOST_EMAILS) * 100}%` }));
  return (
    <figure className="card">
      <figcaption>Emails in the next 24 hours, hour by hour (example)</figcaption>
      <div className="bars" aria-hidden="true">
        {bars.map(({ hour, height }) => (
          <i key={hour} style={{ height }} />
        ))}
      </div>
      <div className="hours" aria-hidden="true">
        <span>now</span>
        <span>+6 h</span>
        <span>+12 h</span>
        <span>+18 h</span>
        <span>+24 h</span>
      </div>
    </figure>
  );
}

const COLUMNS = ['Sent', 'Open-%', 'Click-%', 'Value/Send'];
const COMBINATIONS = [
  { name: 'Plain subject, short text', bars: [80, 52, 30, 44] },
  { name: 'Plain subject, long text', bars: [76, 50, 22, 30] },
  { name: 'Question, short text', bars: [82, 66, 38, 58] },
];

function CombinationsFigure() {
  return (
    <figure className="card combinations">
      <figcaption>A report without numbers (example)</figcaption>
      <table>
        <thead>
          <tr>
            <th scope="col">Combination</th>
            {COLUMNS.map(column => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {COMBINATIONS.map(({ name, bars }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {COLUMNS.map((column, index) => (
                <td key={column}>
                  <i aria-hidden="true" style={{ width: `${bars[index]}%` }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
