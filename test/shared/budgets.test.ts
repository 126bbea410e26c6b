import { expect, it } from 'vitest';
import type { Budget } from '#shared/budgets.ts';
import { type Route, twinsOf } from '#shared/route.ts';
import { routes } from '#shared/routes.ts';

type Numbers = [most: number, seconds: number, more?: Pick<Budget, 'processorMs' | 'mostMs'>];

const MINUTE = 60;
const HOUR = 3_600;
const TWENTY = { processorMs: 20_000 };
const PREDICTED = { ...TWENTY, mostMs: 8_000 };

/** What each expensive call may cost, written a second time. */
const EXPECTED: [Numbers, string][] = [
  [
    [60, MINUTE, PREDICTED],
    `forecastImport simulateAutomation forecastAutomation forecastNewAutomation forecast getUpcoming countAudience
    countSequencePeople forecastBroadcast forecastNewBroadcast tryCreateAutomation tryUpdateAutomation
    tryLinkAutomationContent tryCreateSequence tryUpdateSequence tryUpdateSafeguards tryUpdateSendingHours tryUpdateHoldout
    tryUpdateOrganization tryUpdateEmailList trySetSendingKey tryLinkContent createPlan reportAutomationHoldout
    reportHoldout estimateSafeguards`,
  ],
  [
    [120, MINUTE, TWENTY],
    `countSkippedEmails reportCombinations reportCombination reportDays reportAutomation reportAutomationShares
    reportAutomationTotals reportSafeguards compareCombinations`,
  ],
  [[360, MINUTE], 'reportPerformance getAttention getFirstSteps'],
  [[240, MINUTE, TWENTY], 'checkLayout updateLook updateEmailListLook'],
  [[120, MINUTE], 'exportRecipient checkEmailAsset checkEmailTemplate'],
  [[1_200, MINUTE], 'tryImportRows'],
  [[20, HOUR], 'sendTestEmail sendDraftTest'],
  [[60, HOUR], 'uploadImage'],
  [[30, MINUTE], 'getConnectionRequest createConnection testUnsubscribeWebhook testOrganizationWebhook'],
  [
    [10, MINUTE],
    'testSendingKey addSesIdentity checkSesIdentity addTrackingDomain checkTrackingDomain checkDomain',
  ],
  [
    [60, MINUTE],
    `getDomainCheck redeliverWebhookDelivery redeliverFailedDeliveries redeliverOrganizationWebhookDelivery
    redeliverFailedOrganizationDeliveries`,
  ],
];

it('each expensive call has its budget, and no other call has one', () => {
  const all: Route[] = Object.values({ ...routes, ...twinsOf(routes) });
  const budgets = all.flatMap(({ id, budget }): [string, Numbers][] => {
    if (!budget) return [];
    const { name: _, most, seconds, ...more } = budget;
    return [[id, Object.keys(more).length > 0 ? [most, seconds, more] : [most, seconds]]];
  });
  const expected = EXPECTED.flatMap(([numbers, ids]) => ids.split(/\s+/).map(id => [id, numbers]));
  expect(Object.fromEntries(budgets)).toEqual(Object.fromEntries(expected));
});
