package planted

// A fault is one defect, planted into a copy of package toolcall: texts that
// stand exactly once in a file, and what stands there instead. Every fault is
// guarded by planted("name"), so that one build holds them all.
type fault struct {
	name    string
	what    string // the defect, and what it means
	killers string // tests that must find it, separated by spaces
	edits   []edit
}

type edit struct{ file, old, new string }

// support is added to the copy: which fault is on, and what callbacks were handed.
const support = `package toolcall

import "os"

var plantedFault = os.Getenv("TOUCHSTONE_PLANTED")

func planted(name string) bool { return plantedFault == name }

var stash struct {
	view, input, output, options, details any
	raw                                   []byte
}
`

// always are edits that change nothing: they keep what faults need.
var always = []edit{
	{"attempt.go", "	view := r.out.Arguments.View()\n	decision", "	view := r.out.Arguments.View()\n	stash.view = view\n	decision"},
	{"attempt.go", "return r.tool.Schema.Parse(ctx, r.requested.View())", "stash.input = r.requested.View(); return r.tool.Schema.Parse(ctx, stash.input)"},
	{"attempt.go", "	arguments, err := r.rt.limits.Of(output)\n", "	stash.output = output\n	arguments, err := r.rt.limits.Of(output)\n"},
	{"policy.go", "	var err error\n	if j.Details", "	stash.details = d.Details\n	var err error\n	if j.Details"},
}

var faults = []fault{
	{"shared-view", "the handler is handed policy's view", "TestMatrix01DistinctObjectsOneCanonicalValue TestMatrix02RetainedPolicyReference TestMatrix05LatePolicyMutation TestInvariants6And7NothingIsShared", []edit{
		{"tool.go", "func (e Execution) Arguments() any { return", "func (e Execution) Arguments() any { if planted(\"shared-view\") { return stash.view }; return"}}},
	{"policy-view-executed", "what runs is a new snapshot of policy's view", "TestMatrix02RetainedPolicyReference TestInvariants6And7NothingIsShared", []edit{
		{"tool.go", "func (e Execution) Arguments() any {", "func (e Execution) Arguments() any { if planted(\"policy-view-executed\") { s, _ := snapshot.Of(stash.view); return s.View() };"}}},
	{"schema-output-executed", "the handler is handed the schema's output", "TestMatrix03AliasReturnedByTransform TestInvariants6And7NothingIsShared", []edit{
		{"tool.go", "func (e Execution) Arguments() any {", "func (e Execution) Arguments() any { if planted(\"schema-output-executed\") { return stash.output };"}}},
	{"schema-output-to-policy", "policy is handed the schema's output", "TestMatrix03AliasReturnedByTransform TestInvariants6And7NothingIsShared", []edit{
		{"attempt.go", "	stash.view = view\n", "	if planted(\"schema-output-to-policy\") { view = stash.output }\n	stash.view = view\n"}}},
	{"requested-shared", "an identity schema makes requested and parsed arguments one object", "TestInvariant4RequestedArgumentsAreTheirOwn", []edit{
		{"attempt.go", "	stash.view = view\n", "	if planted(\"requested-shared\") { view = stash.input }\n	stash.view = view\n"}}},
	{"recomputed-hash", "the proposal's fingerprint is computed again from policy's view", "TestMatrix08SuspendedProposalReusesTheFingerprint", []edit{
		{"proposal.go", "func (p Proposal) ArgsCanonicalJSON() string {", "func (p Proposal) ArgsCanonicalJSON() string { if planted(\"recomputed-hash\") && stash.view != nil { s, _ := snapshot.Of(stash.view); return s.CanonicalJSON() };"}}},
	{"proposal-hash-of-raw", "the proposal's hash is that of the requested arguments", "TestInvariant8SuspendedProposalIsNotRecomputed TestMatrix09ResumeMatchesOnlyAnIdenticalHash", []edit{
		{"attempt.go", "	r.out.Proposal = &p\n", "	if planted(\"proposal-hash-of-raw\") { p.ProposalHash, _ = snapshot.ProposalHash(r.rt.agent, r.tool.Name+\"!\", r.requested) }\n	r.out.Proposal = &p\n"}}},
	{"proposal-view-shared", "all views of a proposal are one object", "TestMatrix08SuspendedProposalReusesTheFingerprint", []edit{
		{"proposal.go", "func (p Proposal) ParsedArguments() any {", "func (p Proposal) ParsedArguments() any { if planted(\"proposal-view-shared\") { return stash.view };"}}},
	{"second-parse", "the schema is parsed again before execution", "TestMatrix07OneParseAnAttempt TestInvariant1SchemaIsParsedOnce", []edit{
		{"attempt.go", "	r.begin(ctx)\n	result, err", "	if planted(\"second-parse\") { _, _ = guard(func() (any, error) { return r.tool.Schema.Parse(ctx, r.requested.View()) }) }\n	r.begin(ctx)\n	result, err"}}},
	{"second-parse-executed", "what runs is the output of a second parse", "TestInvariant1CountingSchema", []edit{
		{"attempt.go", "	r.begin(ctx)\n	result, err", "	if planted(\"second-parse-executed\") { v, _ := r.tool.Schema.Parse(ctx, r.requested.View()); r.out.Arguments, _ = r.rt.limits.Of(v) }\n	r.begin(ctx)\n	result, err"}}},
	{"raw-executed", "what runs is rebuilt from the requested arguments", "TestInvariant5ExecutionSeesTheCanonicalForm TestMatrix03AliasReturnedByTransform", []edit{
		{"attempt.go", "	r.begin(ctx)\n	result, err", "	if planted(\"raw-executed\") { r.out.Arguments = r.requested }\n	r.begin(ctx)\n	result, err"}}},
	{"domain-not-checked", "a schema's output outside the domain is replaced instead of refused", "TestMatrix06UnsupportedOutputFailsAtSnapshot TestMatrix11OutsideTheDomainFailsTheSameWay TestInvariant2DomainBeforePolicy", []edit{
		{"attempt.go", "	arguments, err := r.rt.limits.Of(output)\n", "	arguments, err := r.rt.limits.Of(output)\n	if planted(\"domain-not-checked\") && err != nil { arguments, err = r.requested, nil }\n"}}},
	{"no-mutation-check", "policy may change its view", "TestMatrix04ImmediatePolicyMutation", []edit{
		{"attempt.go", "	return err\n}\n\n// mistrust", "	if planted(\"no-mutation-check\") { r.out.Mutated = false }\n	return err\n}\n\n// mistrust"}}},
	{"invalid-view-passes", "a view that has left the domain counts as unchanged", "TestMatrix04ImmediatePolicyMutation", []edit{
		{"attempt.go", "	return err\n}\n\n// mistrust", "	if planted(\"invalid-view-passes\") && fault != nil { r.out.Mutated = false }\n	return err\n}\n\n// mistrust"}}},
	{"mutation-counts-for-allow-alone", "only a policy that allows is looked at", "TestMatrix04MutationWithOtherResults", []edit{
		{"attempt.go", "	return err\n}\n\n// mistrust", "	if planted(\"mutation-counts-for-allow-alone\") && r.out.Policy.Verdict != Allow { r.out.Mutated = false }\n	return err\n}\n\n// mistrust"}}},
	{"mutation-hides-failure", "a policy that failed and changed its view reports the change", "TestMatrix04MutationWithOtherResults", []edit{
		{"attempt.go", "	if err != nil {\n		return r.end(ctx, Denied, PolicyFailed", "	if err != nil && !(planted(\"mutation-hides-failure\") && r.out.Mutated) {\n		return r.end(ctx, Denied, PolicyFailed"}}},
	{"late-result-read", "policy's result is read again after execution", "TestPolicyResultIsReadOnce TestInvariants6And7NothingIsShared", []edit{
		{"attempt.go", "	r.out.Status, r.out.Result = Executed, result\n", "	r.out.Status, r.out.Result = Executed, result\n	if planted(\"late-result-read\") && stash.details != nil { r.out.Policy.Details, _ = r.rt.limits.Of(stash.details) }\n"}}},
	{"silence-allows", "a decision that says nothing allows", "TestPathsAndTheirCallCounts/policy_says_nothing TestMatrix04MutationWithOtherResults", []edit{
		{"policy.go", "	switch d.Verdict {\n", "	if planted(\"silence-allows\") && d.Verdict == \"\" { d.Verdict, j.Verdict = Allow, Allow }\n	switch d.Verdict {\n"}}},
	{"policy-failure-allows", "a policy that fails allows", "TestPathsAndTheirCallCounts/policy_fails TestPathsAndTheirCallCounts/policy_panics", []edit{
		{"attempt.go", "	if err := r.consult(ctx); err != nil ||", "	if err := r.consult(ctx); planted(\"policy-failure-allows\") && err != nil && !r.out.Mutated { return r.dispatch(ctx, nil) } else if err != nil ||"}}},
	{"approval-bypasses-policy", "evidence of an equal hash runs without policy", "TestApprovalDoesNotBypassPolicy", []edit{
		{"attempt.go", "	if err := r.consult(ctx);", "	if planted(\"approval-bypasses-policy\") && r.call.grant != nil && r.call.grant.ProposalHash == r.out.ProposalHash { return r.dispatch(ctx, r.call.grant) }\n	if err := r.consult(ctx);"}}},
	{"grant-by-tool-name", "a grant serves any arguments of the tool", "TestMatrix09ResumeMatchesOnlyAnIdenticalHash TestParallelApprovalsDoNotCross TestApproveWithEditIsANewProposal TestGrantOfAnotherCall TestGrantForAnInheritedName", []edit{
		{"grant.go", "	case g.ProposalHash != hash:", "	case g.ProposalHash != hash && !planted(\"grant-by-tool-name\"):"}}},
	{"binding-ignored", "a grant that is bound to a call serves others", "TestGrantOfAnotherCall", []edit{
		{"grant.go", "	case (g.InvocationID", "	case !planted(\"binding-ignored\") && (g.InvocationID"}}},
	{"half-bound", "only the call id of a binding counts", "TestGrantOfAnotherCall", []edit{
		{"grant.go", "(g.InvocationID != call.invocation ||", "(g.InvocationID != call.invocation && !planted(\"half-bound\") ||"}}},
	{"expiry-ignored", "a grant never expires", "TestGrantExpires TestPathsAndTheirCallCounts/resumed,_expired", []edit{
		{"grant.go", "	case !now.Before(g.Expires):", "	case !now.Before(g.Expires) && !planted(\"expiry-ignored\"):"}}},
	{"expiry-inclusive", "a grant still counts at the moment it expires", "TestGrantExpires", []edit{
		{"grant.go", "	case !now.Before(g.Expires)", "	case planted(\"expiry-inclusive\") && now.Equal(g.Expires): return \"\"\n	case !now.Before(g.Expires)"}}},
	{"forged-grant", "signatures are not checked", "TestForgedGrants TestPathsAndTheirCallCounts/resumed,_forged", []edit{
		{"grant.go", "	case err != nil:\n		return EvidenceForged", "	case err != nil && !planted(\"forged-grant\"):\n		return EvidenceForged"}}},
	{"grant-reused", "the use of a grant is not written", "TestGrantServesOnce TestUseIsWrittenBeforeDispatch", []edit{
		{"attempt.go", "		d.Grant = GrantUse{grant.Issuer, grant.ID}\n", "		if !planted(\"grant-reused\") { d.Grant = GrantUse{grant.Issuer, grant.ID} }\n"}}},
	{"dispatched-twice", "a proposal with two grants runs twice", "TestConcurrentResumesExecuteOnce", []edit{
		{"attempt.go", "	_, err := guard(func() (struct{}, error) { return struct{}{}, r.rt.store.Commit", "	if planted(\"dispatched-twice\") { d.ProposalID = \"\" }\n	_, err := guard(func() (struct{}, error) { return struct{}{}, r.rt.store.Commit"}}},
	{"resumed-alone", "a proposal that another resume has run can be run once more", "TestResumeUnderAnotherSchema", []edit{
		{"attempt.go", "	if r.call.resumes != d.ProposalID {\n", "	if planted(\"resumed-alone\") && r.call.resumes != \"\" { d.ProposalID = \"\" }\n	if r.call.resumes != d.ProposalID {\n"}}},
	{"resumed-again", "a proposal can be resumed as often as its schema gives other arguments", "TestResumeUnderAnotherSchema", []edit{
		{"attempt.go", "		d.ResumedID = r.call.resumes\n", "		if !planted(\"resumed-again\") { d.ResumedID = r.call.resumes }\n"}}},
	{"resent-not-dispatched", "a suspended call that is sent again instead of resumed can be run once more", "TestGrantServesOnce", []edit{
		{"attempt.go", "		d.ProposalID = r.proposalID() //", "		if !planted(\"resent-not-dispatched\") { d.ProposalID = r.proposalID() } //"}}},
	{"use-after-dispatch", "the handler runs before the commit", "TestUseIsWrittenBeforeDispatch", []edit{
		{"attempt.go", "	_, err := guard(func() (struct{}, error) { return struct{}{}, r.rt.store.Commit(ctx, d) })\n	if err != nil {\n		return r.unwritten(ctx, err)\n	}\n", "	if planted(\"use-after-dispatch\") { r.out.OperationID = operation; out := r.execute(ctx); r.rt.store.Commit(ctx, d); return out }\n	_, err := guard(func() (struct{}, error) { return struct{}{}, r.rt.store.Commit(ctx, d) })\n	if err != nil {\n		return r.unwritten(ctx, err)\n	}\n"}}},
	{"store-failure-ignored", "a store that fails does not stop the call", "TestStoreFailureRunsNothing TestPathsAndTheirCallCounts/the_store_fails", []edit{
		{"attempt.go", "return struct{}{}, r.rt.store.Commit(ctx, d) })\n	if err != nil {\n		return r.unwritten(ctx, err)\n	}\n	r.out.OperationID", "return struct{}{}, r.rt.store.Commit(ctx, d) })\n	if err != nil && !planted(\"store-failure-ignored\") {\n		return r.unwritten(ctx, err)\n	}\n	r.out.OperationID"}}},
	{"allow-consumes", "a call that policy allows uses the grant up", "TestAllowConsumesNothing", []edit{
		{"attempt.go", "		return r.dispatch(ctx, nil)\n", "		if planted(\"allow-consumes\") { return r.dispatch(ctx, r.call.grant) }\n		return r.dispatch(ctx, nil)\n"}}},
	{"resume-from-canonical", "a resumed attempt starts from the canonical arguments, so a transform runs twice", "TestResumeStartsFromRawText", []edit{
		{"runtime.go", "Arguments: []byte(p.RawArguments),", "Arguments: []byte(map[bool]string{false: p.RawArguments, true: p.ArgsCanonicalJSON()}[planted(\"resume-from-canonical\")]),"}}},
	{"admission-when-run", "a call is registered with its step when it runs, not when it begins", "TestExclusiveToolIsAdmittedOnce", []edit{
		{"runtime.go", "	a.admitted = !a.codeOnly() && c.Step.admit(tool.Exclusive)\n", "	if planted(\"admission-when-run\") { a.step = c.Step } else { a.admitted = !a.codeOnly() && c.Step.admit(tool.Exclusive) }\n"},
		{"runtime.go", "	admitted bool\n", "	admitted bool\n	step *Step\n"},
		{"attempt.go", "	if !a.admitted {", "	if planted(\"admission-when-run\") { a.admitted = a.step.admit(a.tool.Exclusive) }\n	if !a.admitted {"}}},
	{"exclusive-among-others", "an exclusive call runs beside others", "TestStepAdmission", []edit{
		{"call.go", "exclusive && s.admitted > 0", "exclusive && s.admitted > 0 && !planted(\"exclusive-among-others\")"}}},
	{"direct-only-takes-a-place", "a refused direct-only call keeps others from its step", "TestStepAdmission", []edit{
		{"runtime.go", "a.admitted = !a.codeOnly() && c.Step.admit(tool.Exclusive)", "a.admitted = (planted(\"direct-only-takes-a-place\") || !a.codeOnly()) && c.Step.admit(tool.Exclusive)"}}},
	{"operation-id-of-arguments", "the operation id tells the arguments", "TestOperationID", []edit{
		{"attempt.go", "	operation, _ := OperationID(r.call.invocation, r.call.id)", "	operation, _ := OperationID(r.call.invocation, r.call.id+map[bool]string{true: r.out.ProposalHash}[planted(\"operation-id-of-arguments\")])"}}},
	{"operation-id-on-refusal", "a refused call has an operation id", "TestRecordsOfEveryPath TestPathsAndTheirCallCounts", []edit{
		{"attempt.go", "	r.out.Status, r.out.Reason, r.out.Err = status, reason, err\n", "	r.out.Status, r.out.Reason, r.out.Err = status, reason, err\n	if planted(\"operation-id-on-refusal\") { r.out.OperationID, _ = OperationID(r.call.invocation, r.call.id) }\n"}}},
	{"raw-arguments-recorded", "where no projection ran the records show the arguments", "TestRecordsOfEveryPath TestProjectionHidesASecretOnEveryPath TestNothingIsShownByDefault", []edit{
		{"record.go", "	shared := r.fields()\n", "	shared := r.fields()\n	if planted(\"raw-arguments-recorded\") && shared.Arguments.IsZero() { shared.Arguments = r.requested }\n"}}},
	{"projection-ignored-in-commit", "the durable record has the arguments whole", "TestProjectionHidesASecretOnEveryPath", []edit{
		{"attempt.go", "		Persisted: r.out.Views.Persisted, At", "		Persisted: map[bool]snapshot.Snapshot{false: r.out.Views.Persisted, true: r.out.Arguments}[planted(\"projection-ignored-in-commit\")], At"}}},
	{"projection-renames", "a persisted view may have other names", "TestPathsAndTheirCallCounts/the_projection_renames TestPathsAndTheirCallCounts/the_projection_drops_a_name", []edit{
		{"projection.go", "	if !sameNames(", "	if !planted(\"projection-renames\") && !sameNames("}}},
	{"projection-twice", "a projection runs once for each view", "TestPathsAndTheirCallCounts", []edit{
		{"projection.go", "	if err != nil {\n		return Views{}, err\n	}\n	if v.Permission", "	if err != nil {\n		return Views{}, err\n	}\n	if planted(\"projection-twice\") { t.Projection(ctx, arguments.View()) }\n	if v.Permission"}}},
	{"projection-shares-policy-view", "the projection is handed the view that policy gets", "TestInvariants6And7NothingIsShared", []edit{
		{"projection.go", "		permission, persisted, err := t.Projection(ctx, arguments.View())\n", "		given := arguments.View()\n		if planted(\"projection-shares-policy-view\") { stash.input = given }\n		permission, persisted, err := t.Projection(ctx, given)\n"},
		{"attempt.go", "	stash.view = view\n", "	if planted(\"projection-shares-policy-view\") { view = stash.input }\n	stash.view = view\n"}}},
	{"result-before-call", "the result record comes before the call record", "TestRecordsOfEveryPath", []edit{
		{"attempt.go", "	r.begin(ctx)\n	return r.finish(ctx)\n", "	if planted(\"result-before-call\") { r.finish(ctx); r.begin(ctx); return r.out }\n	r.begin(ctx)\n	return r.finish(ctx)\n"}}},
	{"no-record-of-refusals", "a refused call leaves no records", "TestRecordsOfEveryPath", []edit{
		{"attempt.go", "	r.begin(ctx)\n	return r.finish(ctx)\n", "	if planted(\"no-record-of-refusals\") { return r.out }\n	r.begin(ctx)\n	return r.finish(ctx)\n"}}},
	{"surface-skips-schema", "a boundary without a surface skips the schema", "TestPathsAndTheirCallCounts/sandbox_boundary,_no_surface,_schema_refuses", []edit{
		{"attempt.go", "	if err != nil {\n		return argumentsError(r.tool.Name, StageSchema, err)", "	if planted(\"surface-skips-schema\") && r.tool.Boundary && r.rt.surface == nil { output, err = r.requested.View(), nil }\n	if err != nil {\n		return argumentsError(r.tool.Name, StageSchema, err)"}}},
	{"error-shows-cause", "errors quote what callbacks say", "TestProjectionHidesASecretOnEveryPath TestStoreFailureRunsNothing", []edit{
		{"errors.go", "	case err == nil:\n		return \"\"", "	case err == nil:\n		if planted(\"error-shows-cause\") && cause != nil { return \": \" + cause.Error() }\n		return \"\""},
		{"errors.go", "func shown(err error) string {\n", "func shown(err error) string {\n	cause := err\n	_ = cause\n"}}},
	{"panic-shows-value", "the error of a panic quotes its value", "TestProjectionHidesASecretOnEveryPath", []edit{
		{"errors.go", "func (e *PanicError) Error() string {", "func (e *PanicError) Error() string { if planted(\"panic-shows-value\") { return fmt.Sprint(e.value) };"},
		{"errors.go", "	\"errors\"\n", "	\"errors\"\n	\"fmt\"\n"}}},
	{"options-read-late", "provider options are read when they are recorded", "TestCallIsCapturedBeforeTheFirstWait", []edit{
		{"call.go", "		k.options = options\n", "		k.options = options\n		stash.options = c.ProviderOptions\n"},
		{"record.go", "	shared := r.fields()\n", "	shared := r.fields()\n	if planted(\"options-read-late\") && !shared.ProviderOptions.IsZero() { shared.ProviderOptions, _ = snapshot.Of(stash.options) }\n"}}},
	{"text-read-late", "the raw text is read when the attempt runs", "TestCallIsCapturedBeforeTheFirstWait", []edit{
		{"call.go", "	*k = captured{\n", "	stash.raw = c.Arguments\n	*k = captured{\n"},
		{"attempt.go", "r.rt.limits.Decode([]byte(r.call.raw))", "r.rt.limits.Decode(map[bool][]byte{false: []byte(r.call.raw), true: stash.raw}[planted(\"text-read-late\")])"}}},
	{"timestamp-when-run", "the timestamp is that of the records", "TestCallIsCapturedBeforeTheFirstWait", []edit{
		{"record.go", "Timestamp: r.call.at,", "Timestamp: map[bool]time.Time{false: r.call.at, true: r.rt.now()}[planted(\"timestamp-when-run\")],"}}},
	{"direct-only-from-code", "code that the model wrote may call direct-only tools", "TestPathsAndTheirCallCounts/direct-only_refused", []edit{
		{"runtime.go", "return a.tool.DirectOnly &&", "return !planted(\"direct-only-from-code\") && a.tool.DirectOnly &&"}}},
	{"end-of-context-ignored", "a call whose context has ended runs", "TestPathsAndTheirCallCounts/the_context_has_ended", []edit{
		{"attempt.go", "	if a.spent.Swap(true) {", "	if planted(\"end-of-context-ignored\") { ctx = context.WithoutCancel(ctx) }\n	if a.spent.Swap(true) {"}}},
	{"names-folded", "a handler's fields are filled without regard to case", "TestNamesAreNotFolded", []edit{
		{"tool.go", "		arguments, err := snapshot.As[T](e.Snapshot, rules...)\n", "		arguments, err := snapshot.As[T](e.Snapshot, rules...)\n		if planted(\"names-folded\") { _ = json.Unmarshal([]byte(e.Snapshot.CanonicalJSON()), &arguments) }\n"},
		{"tool.go", "	\"context\"\n", "	\"context\"\n	\"encoding/json\"\n"}}},
	{"another-agents-proposal", "an agent resumes another's proposals", "TestResumeOfNothing", []edit{
		{"runtime.go", "p.Agent != r.agent", "p.Agent != r.agent && !planted(\"another-agents-proposal\")"}}},
	{"prototype-names-dropped", "an own __proto__ is left out of the fingerprint", "TestMatrix10PrototypeNamesAreData", []edit{
		{"attempt.go", "	stash.output = output\n", "	stash.output = output\n	if object, ok := output.(map[string]any); ok && planted(\"prototype-names-dropped\") { delete(object, \"__proto__\") }\n"}}},
	{"folded-arguments", "the canonical arguments are folded to lower case", "TestMatrix12PublishedVectors TestNamesAreNotFolded", []edit{
		{"attempt.go", "	if r.tool.Boundary && r.rt.surface != nil {", "	if planted(\"folded-arguments\") { arguments, _ = snapshot.Decode([]byte(strings.ToLower(arguments.CanonicalJSON()))) }\n	if r.tool.Boundary && r.rt.surface != nil {"},
		{"attempt.go", "	\"errors\"\n", "	\"errors\"\n	\"strings\"\n"}}},
	{"late-detachment", "canonical arguments and hash are those of the schema's output when policy is asked", "TestInvariant3CanonicalArgumentsAndHashOfTheDetachedTree", []edit{
		{"attempt.go", "	view := r.out.Arguments.View()\n", "	if planted(\"late-detachment\") { r.out.Arguments, _ = snapshot.Of(stash.output); r.out.ProposalHash, _ = snapshot.ProposalHash(r.rt.agent, r.tool.Name, r.out.Arguments) }\n	view := r.out.Arguments.View()\n"}}},
	{"policy-sees-the-request", "policy's view is that of the requested arguments", "TestInvariant4PolicySeesTheCanonicalForm", []edit{
		{"attempt.go", "	stash.view = view\n", "	if planted(\"policy-sees-the-request\") { view = r.requested.View() }\n	stash.view = view\n"}}},
}
