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

/** An example of one contact's week under two automations and one limit. */
export function WeekFigure() {
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
