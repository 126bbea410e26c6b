import type { FirstStep, FirstSteps } from '#shared/first-steps.ts';
import type { Action } from '#shared/permissions.ts';
import { dialogPath, paths } from '#web/lib/paths.ts';

type Text = {
  label: string;
  about: string;
  /** The path where the step is done; undefined while an earlier step has to be done first. */
  to: (of: { list: string | null; automation: string | null }) => string | null | undefined;
  /** The right that the step needs. Users without it do not see the step. */
  action?: Action;
};

/** Uses the labels of the buttons that the steps lead to. */
const TEXTS: Record<FirstStep, Text> = {
  list: {
    label: 'Create list',
    about: 'A list holds the contacts that you send to from one of your domains.',
    to: () => paths.newList(),
  },
  key: {
    label: 'Set the sending key',
    about: 'And test it: with the key of your domain, Mailgun accepts the emails of the list.',
    to: ({ list }) => list && paths.editList(list),
    action: 'sending-key:edit',
  },
  members: {
    label: 'Import members',
    about: 'From a CSV file, one by one on the page of the list, or from your own systems by the API.',
    to: ({ list }) => list && paths.importMembers(list),
  },
  content: {
    label: 'Create an email template',
    about: 'One whole email to begin with. Single parts can be tried against each other later.',
    to: () => paths.newEmailTemplate(),
  },
  automation: {
    label: 'Create an automation',
    about: 'It says whom to email and when, and which templates or assets it sends.',
    to: ({ automation }) => (automation ? paths.automation(automation) : paths.newAutomation()),
  },
  simulation: {
    label: 'Simulate it',
    about: 'See who would get an email in the next 24 hours, before anybody does.',
    to: ({ automation }) => automation && dialogPath('simulation', automation),
  },
  activation: {
    label: 'Activate it',
    about: 'From then on, each member gets an email as soon as one is due.',
    to: ({ automation }) => automation && paths.automation(automation),
  },
  sent: {
    label: 'The first email is sent',
    about: 'By itself, when it is due. The sending log shows it, or why it was not sent.',
    to: () => paths.sendingLog(),
  },
  opened: {
    label: 'The first email is opened',
    about: 'Opens, clicks and the value they bring are counted here, and in Reporting.',
    to: () => undefined,
  },
};

type ShownStep = {
  step: FirstStep;
  label: string;
  about: string;
  isDone: boolean;
  to: string | undefined;
};

/** The first steps that a user with these rights can take. */
export const shownSteps = (
  { steps, list_id, automation_id }: FirstSteps,
  may: (action: Action) => boolean,
): ShownStep[] =>
  steps
    .filter(({ step }) => {
      const { action } = TEXTS[step];
      return action === undefined || may(action);
    })
    .map(({ step, is_done }) => {
      const { label, about, to } = TEXTS[step];
      const place = to({ list: list_id, automation: automation_id });
      return { step, label, about, isDone: is_done, to: place ?? undefined };
    });
