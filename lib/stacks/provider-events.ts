import { Duration, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { providerEventsAlarms } from '../alarms.ts';
import { alarmed } from '../constructs/alarmed.ts';
import { loggedErrors } from '../constructs/logged.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, reserved, type Stage } from '../stages.ts';
import { type ApiStack, integrationOf } from './api.ts';
import type { DataStack } from './data.ts';

/** Called by the provider. Not part of the contract. */
export const PROVIDER_EVENTS = 'POST /t/e/{organization}/{list}';

/** What the provider reports of emails: anybody may call, and what is not signed is refused. */
export class ProviderEventsStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { stage, data, api }: { stage: Stage; data: DataStack; api: ApiStack },
  ) {
    super(scope, id, { env: { region: HOME_REGION } });
    const { table, sendingKeys, providerSigningKey } = data;
    const fn = new ServiceFunction(this, 'ProviderEvents', {
      stage,
      entry: 'functions/sending/provider-events.ts',
      // Somebody may be on many lists.
      timeout: Duration.seconds(25),
      // A share of its own, as tracking has it: the provider calls again where it is busy.
      reservedConcurrentExecutions: reserved(stage, stage.mostVisits),
    })
      .accesses(table)
      .decryptsWith(sendingKeys)
      .readsSecret(providerSigningKey, 'PROVIDER_SIGNING_KEY_SECRET');
    api.addRoute(this, PROVIDER_EVENTS, integrationOf(fn));
    const errors = loggedErrors(this, stage, 'ProviderEventErrors', [fn]);
    alarmed(this, stage, providerEventsAlarms(fn, errors));
  }
}
