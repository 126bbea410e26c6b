// The default limits of an organization.
const LIMITS = [
  { most: 1, window: '5 minutes' },
  { most: 2, window: '1 hour' },
  { most: 3, window: '24 hours' },
  { most: 7, window: '7 days' },
];

export function LimitsFigure() {
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

export function ClaimFigure() {
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

export function SimulationFigure() {
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

export function CombinationsFigure() {
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
