import { env } from '#functions/platform/aws.ts';

/** Where the emails of an organization belong in the account of its stage. */
export type Place = { configurationSet: string; tenant: string };

export const placeOf = (organization: number): Place => ({
  configurationSet: env('SES_CONFIGURATION_SET'),
  tenant: `${env('SES_TENANTS')}-${organization}`,
});
