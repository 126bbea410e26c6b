// The page of the inbox. It polls for messages while it is visible, and shows the message whose id is in the URL.
const EVERY = 1500;
const MOST = 200;
const CODE = /^([A-Z0-9]{6})$/m;
const PROVIDERS = { ses: 'SES', mailgun: 'Mailgun' };
// The events that the provider can be made to report about an email.
const EVENTS = { bounced: 'Bounce', complained: 'Complain' };

const part = id => document.getElementById(id);
const wide = matchMedia('(width >= 760px)');
const chosen = () => decodeURIComponent(location.hash.slice(1));

const later = [...document.querySelectorAll('[data-later]')];

let messages = [];
let shown = '';
let listed = '';
let isFilling = true;
let isMoving = false;

async function refresh() {
  const to = part('to').value.trim();
  try {
    const response = await fetch(`/_local/inbox?limit=${MOST}&to=${encodeURIComponent(to)}`);
    if (!response.ok) throw new Error(response.statusText);
    messages = (await response.json()).messages;
    render();
    await showStack();
  } catch {
    say('The local stack does not answer. Is it still running?');
  }
}

/** Shows the time of the stack, and the progress of the demo data until that is complete. */
async function showStack() {
  const { now, demo } = await (await fetch('/_local/health')).json();
  part('now').textContent = moment(now);
  isFilling = Boolean(demo);
  // A disabled button would lose the focus.
  for (const button of later) button.ariaDisabled = String(isMoving || isFilling);
  part('demo').hidden = !demo;
  if (demo)
    part('demo').textContent =
      `Demo data is being created: day ${demo.day} of ${demo.days}. You can sign in meanwhile.`;
}

function render() {
  const { length } = messages;
  part('clear').disabled = length === 0;
  part('about').textContent =
    length === 0
      ? 'Every mail this local stack sends ends here.'
      : length === MOST
        ? `The newest ${MOST} mails.`
        : `${length} ${length === 1 ? 'mail' : 'mails'}, newest first.`;
  part('empty').hidden = length > 0;
  part('empty').textContent = part('to').value
    ? 'No mail to this address.'
    : 'Nothing yet. Ask for a login code and it arrives here.';
  document.title = length === 0 ? 'Inbox - Letterflow' : `Inbox (${length}) - Letterflow`;

  const current = messages.find(({ id }) => id === chosen()) ?? (wide.matches ? messages[0] : undefined);
  const list = [current?.id, ...messages.map(({ id }) => id)].join();
  // Updates only what has changed: otherwise each poll would reset the keyboard focus.
  if (list !== listed) part('messages').replaceChildren(...messages.map(message => row(message, current)));
  listed = list;
  show(current);
}

function row(message, current) {
  const link = element('a', { href: `#${encodeURIComponent(message.id)}` });
  if (message === current) link.setAttribute('aria-current', 'true');
  const recipient = element('span', { className: 'recipient' });
  recipient.append(
    element('span', { className: 'to' }, message.to),
    element('small', { className: 'provider' }, PROVIDERS[message.provider]),
  );
  link.append(
    element('strong', {}, message.subject),
    element('time', { dateTime: message.at }, clockTime(message.at)),
    recipient,
  );
  const code = codeOf(message);
  const item = element('li', { className: code ? 'with-code' : '' });
  item.append(link, ...(code ? [copyButton(code)] : []));
  return item;
}

function show(message) {
  part('message').hidden = !message;
  const id = message?.id ?? '';
  if (id === shown) return;
  shown = id;
  if (!message) return;
  part('subject').textContent = message.subject;
  part('message-to').textContent = message.to;
  part('message-from').textContent = message.from;
  part('message-provider').textContent = PROVIDERS[message.provider];
  part('message-at').textContent = `${moment(message.at)} (${message.at})`;
  part('text').textContent = message.text || 'This mail has no plain text.';
  part('html').srcdoc = `<base target="_blank">${message.html || 'This mail has no HTML.'}`;
  const code = codeOf(message);
  part('code').replaceChildren(...(code ? [copyButton(code)] : []));
  const { send } = message.variables;
  part('events').replaceChildren(...(send ? Object.keys(EVENTS).map(event => eventButton(send, event)) : []));
}

function eventButton(send, event) {
  const button = element('button', { type: 'button' }, EVENTS[event]);
  button.addEventListener('click', async () => {
    const body = JSON.stringify({ send, event });
    const response = await fetch('/_local/provider-events', { method: 'POST', body });
    const { deliveries = [] } = await response.json();
    const isTaken = deliveries.length > 0 && deliveries.every(({ status }) => status === 200);
    button.textContent = `${EVENTS[event]}: ${isTaken ? 'reported' : 'refused'}`;
    say(button.textContent);
  });
  return button;
}

const codeOf = ({ text }) => CODE.exec(text)?.[1];

function copyButton(code) {
  const button = element('button', { type: 'button', className: 'code', title: 'Copy the code' });
  const label = element('small', {}, 'Copy');
  button.append(element('span', {}, code), label);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code);
    label.textContent = 'Copied';
    say(`${code} copied`);
    setTimeout(() => {
      label.textContent = 'Copy';
    }, 2000);
  });
  return button;
}

const clockTime = at => {
  const instant = new Date(at);
  const today = instant.toDateString() === new Date().toDateString();
  return today ? instant.toLocaleTimeString([], { timeStyle: 'short' }) : moment(at);
};

const moment = at => new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });

function element(name, properties = {}, text = '') {
  return Object.assign(document.createElement(name), properties, text ? { textContent: text } : {});
}

function say(text) {
  part('status').textContent = text;
}

part('clear').addEventListener('click', async () => {
  await fetch('/_local/inbox', { method: 'DELETE' });
  location.hash = '';
  await refresh();
});
/** Moves the clock. Everything that becomes due until then is sent. */
async function moveClock(seconds) {
  isMoving = true;
  part('moved').textContent = 'Moving the clock...';
  try {
    const { now } = await (await fetch('/_local/clock')).json();
    const body = JSON.stringify({ now: new Date(Date.parse(now) + 1000 * seconds).toISOString() });
    const { sends, message } = await (await fetch('/_local/clock', { method: 'PUT', body })).json();
    part('moved').textContent = message ?? `Emails sent meanwhile: ${sends}.`;
  } catch {
    part('moved').textContent = 'The local stack does not answer.';
  }
  isMoving = false;
  await refresh();
}

for (const button of later) {
  button.addEventListener('click', () => {
    if (!isMoving && !isFilling) moveClock(Number(button.dataset.later));
  });
}
part('to').addEventListener('input', refresh);
addEventListener('hashchange', () => {
  render();
  if (chosen()) part('subject').focus();
});
wide.addEventListener('change', render);
addEventListener('visibilitychange', () => document.hidden || refresh());
setInterval(() => document.hidden || refresh(), EVERY);
await refresh();
