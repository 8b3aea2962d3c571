;;; test.el --- The configuration in a real Emacs -*- lexical-binding: t; -*-

;;; Commentary:

;; emacs --batch -Q -L editors/emacs -L FOLDER-OF-DAPE -l editors/emacs/test.el -- SERVER
;;
;; With NODEWISE_CONTROL=1 the server is absent, and each test has to fail.  The last line is the result.

;;; Code:

(require 'nodewise)
(require 'flymake)
(require 'xref)

;; Emacs has no mode for YAML without a grammar or a package.
(unless (fboundp 'yaml-mode)
  (define-derived-mode yaml-mode text-mode "YAML")
  (add-to-list 'auto-mode-alist '("\\.ya?ml\\'" . yaml-mode)))

(defvar is-control (getenv "NODEWISE_CONTROL"))
(defvar patience (if is-control 2 30))
(defvar examples (expand-file-name "../../examples" (file-name-directory load-file-name)))
(defvar passed 0)
(defvar failed 0)

(setq nodewise-command (list (if is-control "/bin/false" (car (last command-line-args))) "lsp")
      command-line-args-left nil
      eglot-sync-connect patience
      eglot-connect-timeout patience
      eglot-autoshutdown nil)

;; The configuration takes the command when dape is loaded.
(require 'dape)
(setq dape-start-hook nil)

(defun wait-for (what holds)
  "Waits until HOLDS gives something; fails with WHAT."
  (let ((end (+ (float-time) patience)) result)
    (while (and (not (setq result (funcall holds))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or result (error "%s: not in %s s" what patience))))

(defun problems ()
  "The texts of the diagnostics of the current buffer."
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(defun says (text)
  "Whether a diagnostic of the current buffer says TEXT."
  (seq-some (lambda (problem) (string-search text problem)) (problems)))

(defmacro check (name example file &rest body)
  "Runs BODY as the test NAME, in FILE of a copy of EXAMPLE."
  (declare (indent 3))
  `(let* ((folder (make-temp-file "nodewise" t))
          (project (expand-file-name ,example folder)))
     (copy-directory (expand-file-name ,example examples) project)
     (condition-case failure
         (with-current-buffer (find-file-noselect (expand-file-name ,file project))
           (eglot-ensure)
           (eglot--connect (list major-mode) (cons 'transient project) 'eglot-lsp-server nodewise-command '("yaml"))
           (eglot--maybe-activate-editing-mode)
           (flymake-start)
           ,@body
           (setq passed (1+ passed))
           (princ (format "ok %s\n" ,name)))
       (error (setq failed (1+ failed))
              (princ (if is-control (format "fails as it must: %s\n" ,name)
                       (format "FAILED %s: %S\n" ,name failure)))))
     (ignore-errors (eglot-shutdown-all))
     (delete-directory folder t)))

(check "a problem is reported, and disappears when it is fixed" "cycgraph-broken" "claims.yaml"
  (wait-for "the diagnostic" (lambda () (says "no node has the id `covred`")))
  (goto-char (point-min))
  (search-forward "covred")
  (replace-match "covered")
  (eglot--signal-textDocument/didChange)
  (wait-for "no diagnostic" (lambda () (and (problems) (not (says "covred"))))))

(check "a tool is found in another file" "liman" "desk.yaml"
  (wait-for "the folder" (lambda () (says "is a function, not a variable")))
  (goto-char (point-min))
  (search-forward "- find_cust")
  (let* ((found (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))
         (place (xref-location-group (xref-item-location (car found)))))
    (unless (string-suffix-p "customers.yaml" place)
      (error "Found %s" place))))

(check "a graph is simulated" "agentos" "refunds.yaml"
  (wait-for "the server" #'eglot-current-server)
  (nodewise-simulate)
  (with-current-buffer "*nodewise simulate*"
    (goto-char (point-min))
    (search-forward-regexp "screen  guardrail  refunds.yaml:[0-9]+")
    (compilation--ensure-parse (point-max))
    (unless (get-text-property (1- (point)) 'compilation-message)
      (error "The place is no link"))))

(defun frames ()
  "The names and lines of the stack where dape is stopped."
  (when-let* ((connection (dape--live-connection 'stopped t)))
    (mapcar (lambda (frame) (cons (plist-get frame :name) (plist-get frame :line)))
            (plist-get (dape--current-thread connection) :stackFrames))))

(defun wait-for-stop (name)
  "Waits until dape is stopped at NAME, and returns the stack."
  (wait-for (format "a stop at %s" name) (lambda () (and (equal (caar (frames)) name) (frames)))))

(check "dape stops at a breakpoint, evaluates, and steps in both directions" "cycgraph" "claims.scenario.yaml"
  (unwind-protect
      (let (line value)
        (with-current-buffer (find-file-noselect (expand-file-name "claims.yaml" project))
          (goto-char (point-min))
          (search-forward "- id: settle")
          (setq line (line-number-at-pos))
          (dape-breakpoint-toggle))
        (dape (dape--config-eval 'nodewise nil))
        (unless (equal (car (wait-for-stop "settle")) (cons "settle" line))
          (error "It stops at %S" (frames)))
        (dape--evaluate-expression
         (dape--live-connection 'stopped)
         (plist-get (dape--current-stack-frame (dape--live-connection 'stopped)) :id)
         "memory.amount * 2" "repl" (lambda (body _) (setq value (plist-get body :result))))
        (wait-for "the value" (lambda () value))
        (unless (equal value "2400")
          (error "The value is %s" value))
        (dape-step-in (dape--live-connection 'stopped))
        (wait-for-stop "graph settlement")
        (dape-evaluate-expression (dape--live-connection 'stopped) "/back")
        (wait-for-stop "settle"))
    (dape-breakpoint-remove-all)
    (ignore-errors (dape-quit))))

(princ (if is-control (format "%d failed without a server, %d passed\n" failed passed)
         (format "%d passed, %d failed\n" passed failed)))
(kill-emacs (if (if is-control (= passed 0) (= failed 0)) 0 1))
;;; test.el ends here
