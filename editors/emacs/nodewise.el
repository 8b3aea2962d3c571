;;; nodewise.el --- Agent workflows of Liman, cycgraph and AgentOS -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "29.1"))

;;; Commentary:

;; Lets eglot start the language server `nodewise' for YAML and JSON, and simulates graphs:
;;
;;   (add-to-list 'load-path "/path/to/nodewise/editors/emacs")
;;   (require 'nodewise)
;;   (add-hook 'yaml-ts-mode-hook #'eglot-ensure)
;;
;; Diagnostics, completion, hover (ElDoc), definition (xref), references, rename, code actions, formatting and symbols are
;; eglot's own.  `nodewise-simulate', `nodewise-test' and `nodewise-explain' are commands of the server.

;;; Code:

(require 'eglot)
(require 'compile)

(defgroup nodewise nil
  "Agent workflows of Liman, cycgraph and AgentOS."
  :group 'tools)

(defcustom nodewise-command '("nodewise" "lsp")
  "The command that starts the language server."
  :type '(repeat string))

(add-to-list 'eglot-server-programs
             (cons '(yaml-mode yaml-ts-mode json-mode json-ts-mode js-json-mode)
                   (lambda (&rest _) nodewise-command)))

(defun nodewise--ask (command argument)
  "Execute COMMAND with ARGUMENT on the server and return the answer."
  (eglot--request (eglot--current-server-or-lose) :workspace/executeCommand
                  (list :command command :arguments (vector argument))
                  :timeout 60))

(defun nodewise--here ()
  "The URI of the current buffer's file."
  (plist-get (eglot--TextDocumentIdentifier) :uri))

(defun nodewise--show (name text)
  "Show TEXT in a buffer called NAME, with links to files."
  (let ((folder default-directory))
    (with-current-buffer (get-buffer-create name)
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert text))
      (setq default-directory folder)
      (compilation-mode)
      (setq-local compilation-error-regexp-alist
                  '(("[ (]\\([^ :\n]+\\.\\(?:ya?ml\\|json\\)\\):\\([0-9]+\\)" 1 2 nil 0)))
      (goto-char (point-min))
      (display-buffer (current-buffer)))))

;;;###autoload
(defun nodewise-simulate ()
  "Simulate the graph or the first scenario of this file and show the timeline."
  (interactive)
  (let ((answer (nodewise--ask "nodewise.simulate" (list :uri (nodewise--here)))))
    (nodewise--show "*nodewise simulate*" (plist-get answer :text))
    (message "%s" (plist-get answer :summary))))

;;;###autoload
(defun nodewise-test ()
  "Run the scenarios of this file and report how many passed."
  (interactive)
  (let ((answer (nodewise--ask "nodewise.test" (list :uri (nodewise--here)))))
    (message "nodewise: %d passed, %d failed" (plist-get answer :passed)
             (+ (plist-get answer :failed) (plist-get answer :broken)))))

;;;###autoload
(defun nodewise-explain (rule)
  "Show the documentation of RULE."
  (interactive "sRule: ")
  (nodewise--show "*nodewise explain*" (nodewise--ask "nodewise.explain" (list :rule rule))))

;;; Debugging

(defvar dape-configs)
(declare-function dap-register-debug-provider "dap-mode")
(declare-function dap-register-debug-template "dap-mode")

(defun nodewise--debug-adapter ()
  "The command that starts the debug adapter."
  (list (car nodewise-command) "dap"))

(with-eval-after-load 'dape
  ;; dape sets breakpoints only in modes for programs, and the modes for YAML are modes for text.
  (when (fboundp 'derived-mode-add-parents)
    (dolist (mode '(yaml-mode yaml-ts-mode))
      (derived-mode-add-parents mode '(prog-mode))))
  (let ((adapter (list 'modes '(yaml-mode yaml-ts-mode json-mode json-ts-mode js-json-mode)
                       'command (car nodewise-command)
                       'command-args '("dap")
                       'command-cwd 'dape-command-cwd)))
    (add-to-list 'dape-configs
                 `(nodewise-stored ,@adapter :type "nodewise" :request "attach" :run "last"))
    (add-to-list 'dape-configs
                 `(nodewise ,@adapter :type "nodewise" :request "launch" :program dape-buffer-default))))

(with-eval-after-load 'dap-mode
  (dap-register-debug-provider
   "nodewise" (lambda (configuration)
                (plist-put configuration :dap-server-path (nodewise--debug-adapter))))
  (dap-register-debug-template
   "nodewise: debug this file"
   (list :type "nodewise" :request "launch" :name "nodewise: debug this file" :program "${file}"))
  (dap-register-debug-template
   "nodewise: last stored run"
   (list :type "nodewise" :request "attach" :name "nodewise: last stored run" :run "last")))

(provide 'nodewise)
;;; nodewise.el ends here
