import { onReset, store } from './store.ts';

/** Calls after which emails may be sent. A dry run finds out which, and the user confirms them first (`dry-run.ts`). */
const ROUTES_WITH_DRY_RUN = [
  'POST /api/automations',
  'PUT /api/automations/{automation}',
  'PUT /api/automations/{automation}/content',
  'PUT /api/sequences/{sequence}',
  'PUT /api/safeguards',
  'PUT /api/sending-hours',
  'PUT /api/holdout',
  'PUT /api/organizations/{organization}',
  'PUT /api/email-lists/{list}',
  'PUT /api/email-lists/{list}/mailgun-key',
  'POST /api/email-templates',
  'PUT /api/email-templates/{emailTemplate}',
  'PUT /api/email-templates/{emailTemplate}/automations',
  'POST /api/email-assets',
  'POST /api/email-asset-sets',
  'PUT /api/email-assets/{emailAsset}',
] as const;
export type RouteWithDryRun = (typeof ROUTES_WITH_DRY_RUN)[number];

export const hasDryRun = (route: string): route is RouteWithDryRun =>
  (ROUTES_WITH_DRY_RUN as readonly string[]).includes(route);

/** The user did not confirm: nothing was changed, and nothing is shown about it. */
export class Cancelled extends Error {}

/** `choices`: of which one is made, at first the first; `confirmOther` confirms another one. */
type Confirmation = {
  title: string;
  sentences: string[];
  confirm: string;
  choices?: string[];
  confirmOther?: string;
};

type Answer = number | false;
type PendingConfirmation = Confirmation & { id: number; answer: (chosen: Answer) => void };

export const pendingConfirmation = store<PendingConfirmation | undefined>(undefined);

let before: Promise<unknown> = Promise.resolve();
onReset(() => {
  before = Promise.resolve();
});
let shownSoFar = 0;

/** Has the user confirm, on any page; one dialog after another. Returns the index of the choice, or throws `Cancelled`. */
export async function askToConfirm(confirmation: Confirmation): Promise<number> {
  const answered = before.then(() => show(confirmation));
  before = answered;
  const chosen = await answered;
  if (chosen === false) throw new Cancelled();
  return chosen;
}

const show = (confirmation: Confirmation) =>
  new Promise<Answer>(resolve => {
    const shown: PendingConfirmation = {
      ...confirmation,
      id: ++shownSoFar,
      answer(chosen) {
        // A dialog answers once more when it closes: by then the next one may be shown.
        if (pendingConfirmation.get() === shown) pendingConfirmation.set(undefined);
        resolve(chosen);
      },
    };
    pendingConfirmation.set(shown);
  });
