import { PublicHostedZone } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Domain } from './stages.ts';

/** The zone may be a parent of the domain: records have their full names, so `zoneName` does not matter. */
export const zoneOf = (scope: Construct, { name, hostedZoneId }: Domain) =>
  PublicHostedZone.fromPublicHostedZoneAttributes(scope, 'Zone', { zoneName: name, hostedZoneId });
